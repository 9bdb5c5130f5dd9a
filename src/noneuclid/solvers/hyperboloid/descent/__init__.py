"""Gradient descent: the hyperboloid SVM as in Cho et al. (2019), and logistic regression."""

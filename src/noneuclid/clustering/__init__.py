"""Groups of points without labels: k-means, k-medoids and mixtures."""

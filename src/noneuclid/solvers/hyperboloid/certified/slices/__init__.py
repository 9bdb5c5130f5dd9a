"""Problems with the time coordinate of w held fixed, and the bounds that they prove."""

"""Agarwal and Manwani, "Learning multiclass classifier under noisy bandit feedback", PAKDD 2021: its table and figures.

The bit lies: P(says 1 | wrong) = ρ0, P(says 0 | right) = ρ1. RCNBF is told the two rates, RCINE estimates them while it
learns. Errors count the label that was played, as the paper's bound does.

Rows have unit norm. MNIST and USPS are the paper's; its Fashion-MNIST rows are 100 features of a network trained for
it, ours are the pixels. The paper says neither how long it played, nor N_s, nor the exploration of Table 1. Its network
is not needed here: NREst has logistic regression in its place. SOBA is the diagonal one.
"""

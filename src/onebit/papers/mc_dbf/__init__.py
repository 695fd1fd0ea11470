"""Batra and Manwani, "Multiclass classification using dilute bandit feedback", 2021: its figures.

The bit says whether the true label is in a set of m. What the paper reports is the greedy error, of the one label that
scores best, under which exploration costs nothing; these pages show beside it how many of the played sets miss.

The paper does not say which m are low, medium and high: here 2, 4 and 6 of 10 classes. It uses 512 features of VGG-16
for every data set: here rows of unit norm, of pixels for MNIST and Fashion-MNIST and of 256 other features for
CIFAR-10, so that its numbers cannot be compared, but its claims can. SVHN is left out, since its licence is for
non-commercial use only. SOBA is the diagonal one.
"""

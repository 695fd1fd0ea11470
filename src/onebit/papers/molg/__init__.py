"""Yang, Zhao and Gao, "Bandit online learning on graphs via adaptive optimization", IJCAI 2018: its table and figures.

The nodes of a graph come in random order, each once, as rows of d = 100 eigenvectors; counted are the mistakes and the
updates of the weights of a class. Cora and PubMed are the paper's graphs. Coauthor and IMDB cannot be had: a graph of
co-authors from DBLP and one of films from Wikipedia stand in, so that the printed numbers cannot be compared there, but
what the paper says about which learner is ahead of which can.

GPA, OSLG, OSLG-Bandit and MSG are our reading of descriptions, since their papers give no code.
"""

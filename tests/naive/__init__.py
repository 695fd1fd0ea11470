"""The obvious twins: every learner again, in plain NumPy, straight from the formulas.

A twin is made with the learner's parameters and plays on dense rows. `draw` is a NumPy generator that
starts where the learner's does; a twin takes its uniforms in the same order.

    twin = naive.banditron.Twin(K, d, draw, gamma=0.1)
    label, greedy, propensity, explored = twin.decide(x)
    twin.learn(x, label, greedy, propensity, explored, feedback)   # the bit, or the label's number
    twin.scores(x)

The `label` of a learner that plays sets is a pair: the labels played, and the best ones.
"""

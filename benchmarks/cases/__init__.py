"""Raw cases as people have them: dicts in, bits back, one pass, beside Vowpal Wabbit and the learner told every label.

python -m benchmarks.cases tune                     # VW's settings, on another seed: about an hour on one core
python -m benchmarks.cases run                      # what is not measured yet; stopped, the same command goes on
python -m benchmarks.cases run nursery adult --seeds 1 --contenders onebit
python -m benchmarks.cases page                     # the section in docs/benchmarks.md
python -m benchmarks.cases fetch                    # the sets that are not in the data folder, into a folder beside it
python -m benchmarks.cases speed                    # what reading a case costs; wanted on an idle core
"""

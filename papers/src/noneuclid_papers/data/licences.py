"""Where the papers' data come from: repositories, licences, and whom to cite.

``resources/sources.tsv`` repeats these strings for each file, so that they can be printed before
anything is read.
"""

MIT = "MIT"
NON_COMMERCIAL = "CC-BY-NC-4.0 (non-commercial use only)"
NOT_STATED = "none stated by the repository"

HSVM_RELAX = "https://github.com/yangshengaa/hsvm-relax"
POINCARE_LINEAR = "https://github.com/thupchnsky/PoincareLinearClassification"
HYPLINEAR = "https://github.com/hhcho/hyplinear"
POINCARE_MAPS = "https://github.com/facebookresearch/PoincareMaps"
MANIFY = "https://github.com/pchlenski/manify"

ADAMIC = (
    "Adamic and Glance, The political blogosphere and the 2004 U.S. election: divided they blog, "
    "LinkKDD, 2005"
)
CHLENSKI_2025 = "Chlenski et al., Mixed-curvature decision trees and random forests, ICML, 2025"
CHO = "Cho, DeMeo, Peng and Berger, Large-margin classification in hyperbolic space, AISTATS, 2019"
GIRVAN = (
    "Girvan and Newman, Community structure in social and biological networks, PNAS "
    "99(12):7821-7826, 2002"
)
KLIMOVSKAIA = (
    "Klimovskaia, Lopez-Paz, Bottou and Nickel, Poincaré maps for analyzing complex hierarchies in "
    "single-cell data, Nature Communications 11:2966, 2020"
)
KREBS = "Krebs, Books about US politics, unpublished"
KRIZHEVSKY = "Krizhevsky, Learning multiple layers of features from tiny images, 2009"
KRUMSIEK = (
    "Krumsiek et al., Hierarchical differentiation of myeloid progenitors is encoded in the "
    "transcription factor network, PLoS ONE 6(8):e22649, 2011"
)
MOIGNARD = (
    "Moignard et al., Decoding the regulatory network of early blood development from single-cell "
    "gene expression measurements, Nature Biotechnology 33:269-276, 2015"
)
OLSSON = (
    "Olsson et al., Single-cell analysis of mixed-lineage states leading to a binary cell fate "
    "choice, Nature 537:698-702, 2016"
)
PAN = (
    "Pan, Chien, Tabaghi, Peng and Milenkovic, Provably accurate and scalable linear classifiers "
    "in hyperbolic spaces, Knowledge and Information Systems, 2023"
)
PAPADOPOULOS = (
    "Papadopoulos et al., Popularity versus similarity in growing networks, Nature 489:537-540, "
    "2012"
)
PAUL = (
    "Paul et al., Transcriptional heterogeneity and lineage commitment in myeloid progenitors, "
    "Cell 163(7):1663-1677, 2015"
)
ROSSI = (
    "Rossi and Ahmed, The network data repository with interactive graph analytics and "
    "visualization, AAAI, 2015"
)
XIAO = (
    "Xiao, Rasul and Vollgraf, Fashion-MNIST: a novel image dataset for benchmarking machine "
    "learning algorithms, arXiv 1708.07747, 2017"
)
YANG = (
    "Yang, Liu and Pehlevan, Convex relaxation for solving large-margin classifiers in hyperbolic "
    "space, arXiv 2405.17198, 2024"
)
ZACHARY = (
    "Zachary, An information flow model for conflict and fission in small groups, Journal of "
    "Anthropological Research 33(4):452-473, 1977"
)


def about(citations, licence, source, oddities, **more):
    """Assemble the `about` of a data set."""
    text = "; ".join(citations)
    return {"citation": text, "licence": licence, "source": source, "oddities": [*oddities], **more}

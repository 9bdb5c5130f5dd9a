"""What the embeddings of graphs by epochs of gradient descent share."""

import time
from functools import partial

from noneuclid.embeddings import graphs
from noneuclid.embeddings.base import GRAPH, Embedding, Placed, RandomState
from noneuclid.embeddings.reconstruction import quality
from noneuclid.embeddings.skip_gram import check_walks
from noneuclid.geometry import charts


class GraphDescent(Embedding):
    """Base of the embeddings of graphs by epochs.

    A subclass has `_check(n, settings)`, which refuses parameters, and
    `_descend(graph, seed, settings)`, which returns points in `own_chart` and the report.
    """

    reads = (GRAPH,)
    distances: tuple = ()  # how to measure distances, if not those of hyperbolic space

    def _place(self, source, settings, seed):
        self._check(source.n, settings)
        graph = graphs.graph_of(source, self.name)
        start = time.perf_counter()
        points, report = self._descend(graph, seed, settings)
        facts = {"seconds": time.perf_counter() - start, **report}
        charts.check_points(points, self.own_chart)
        tangent = charts.convert(points, self.own_chart, "tangent")
        return Placed(points, facts, partial(quality, graph, tangent, seed, *self.distances))


class WalkEmbedding(GraphDescent):
    """Base of the embeddings by skip-gram on random walks."""

    own_chart = "tangent"

    def __init__(
        self,
        n_components: int = 2,
        *,
        num_walks: int = 10,
        walk_length: int = 10,
        window: int = 5,
        negative_sample_rate: int = 5,
        learning_rate: float = 0.025,
        burn_in: int = 0,
        max_iter: int = 200,
        tol: float = 0.003,
        chart: str = "poincare",
        random_state: RandomState = None,
    ):
        self.n_components = n_components
        self.num_walks = num_walks
        self.walk_length = walk_length
        self.window = window
        self.negative_sample_rate = negative_sample_rate
        self.learning_rate = learning_rate
        self.burn_in = burn_in
        self.max_iter = max_iter
        self.tol = tol
        self.chart = chart
        self.random_state = random_state

    def _check(self, n, settings):
        own = ("n_components", "row_order")
        check_walks(self.name, n, **{k: v for k, v in settings.items() if k not in own})

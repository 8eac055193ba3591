"""An ONNX graph, written down like the formulas it computes.

A `Value` is the name of a tensor in the graph; `+ - * / @` and its methods add nodes and give new values. Numbers,
arrays and torch tensors join as constants, in the type of the value they meet.
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper
from torch import Tensor

OPSET = 19  # the first in which words can be compared
IR_VERSION = 9  # the one that came with it; a newer stamp would only turn older runtimes away

_TYPES = {
    "float32": onnx.TensorProto.FLOAT,
    "float64": onnx.TensorProto.DOUBLE,
    "bool": onnx.TensorProto.BOOL,
    "string": onnx.TensorProto.STRING,
}


@final
class Graph:
    """Nodes and constants, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: list[onnx.TensorProto] = []
        self._inputs: list[onnx.ValueInfoProto] = []
        self._n_names = 0

    def input(self, name: str, kind: str, shape: list[str | int]) -> "Value":
        """What the caller gives; a word in the shape is a size that may differ from call to call."""
        self._inputs.append(helper.make_tensor_value_info(name, _TYPES[kind], shape))
        return Value(self, name, kind)

    def constant(self, array: Tensor | NDArray[Any] | list[Any] | float, kind: str) -> "Value":
        if isinstance(array, Tensor):
            array = array.detach().cpu().numpy()
        numbers = np.asarray(array, dtype=object if kind == "string" else kind)
        name = self._name()
        self._constants.append(numpy_helper.from_array(numbers, name))
        return Value(self, name, kind)

    def node(self, operator: str, *inputs: "Value", kind: str | None = None, n_outputs: int = 1, **options: Any) -> Any:
        """A value, or a list of `n_outputs`, of the type of the first input unless `kind` says otherwise."""
        names = [self._name() for _ in range(n_outputs)]
        self._nodes.append(helper.make_node(operator, [value.name for value in inputs], names, **options))
        values = [Value(self, name, kind or inputs[0].kind) for name in names]
        return values[0] if n_outputs == 1 else values

    def model(self, outputs: dict[str, "Value"], shape: list[str | int], facts: dict[str, str]) -> bytes:
        """The finished graph as a file's content, with its outputs, all of one shape, and what it says of itself."""
        for name, value in outputs.items():
            self._nodes.append(helper.make_node("Identity", [value.name], [name]))
        told = [helper.make_tensor_value_info(name, _TYPES[value.kind], shape) for name, value in outputs.items()]
        graph = helper.make_graph(self._nodes, "wdrop", self._inputs, told, self._constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="wdrop"
        )
        helper.set_model_props(model, facts)
        onnx.checker.check_model(model, full_check=True)
        return model.SerializeToString()

    def _name(self) -> str:
        self._n_names += 1
        return f"v{self._n_names}"


@final
class Value:
    """A tensor that the graph will have computed by then; `kind` is the type of its entries."""

    def __init__(self, graph: Graph, name: str, kind: str) -> None:
        self.graph, self.name, self.kind = graph, name, kind

    def _with(self, operator: str, other: Any, *, reflected: bool = False, kind: str | None = None) -> "Value":
        if not isinstance(other, Value):
            other = self.graph.constant(other, self.kind)
        pair = (other, self) if reflected else (self, other)
        return self.graph.node(operator, *pair, kind=kind)

    def __add__(self, other: Any) -> "Value":
        return self._with("Add", other)

    def __sub__(self, other: Any) -> "Value":
        return self._with("Sub", other)

    def __rsub__(self, other: Any) -> "Value":
        return self._with("Sub", other, reflected=True)

    def __mul__(self, other: Any) -> "Value":
        return self._with("Mul", other)

    def __truediv__(self, other: Any) -> "Value":
        return self._with("Div", other)

    def __matmul__(self, other: Any) -> "Value":
        return self._with("MatMul", other)

    __radd__, __rmul__ = __add__, __mul__

    def equals(self, other: Any) -> "Value":
        return self._with("Equal", other, kind="bool")

    def at_least(self, low: float) -> "Value":
        return self._with("Max", low)

    def apply(self, operator: str, **options: Any) -> "Value":
        """One of ONNX's functions of a single tensor, by its name: Relu, Sqrt, Exp, Erf, Tanh, Sigmoid, Softplus."""
        return self.graph.node(operator, self, **options)

    def square(self) -> "Value":
        return self * self

    def sqrt(self) -> "Value":
        return self.apply("Sqrt")

    def to(self, kind: str) -> "Value":
        return self if kind == self.kind else self.graph.node("Cast", self, kind=kind, to=_TYPES[kind])

    def is_nan(self) -> "Value":
        return self.graph.node("IsNaN", self, kind="bool")

    def swapped(self, *order: int) -> "Value":
        return self.graph.node("Transpose", self, perm=list(order))

    def unsqueezed(self, axis: int) -> "Value":
        return self.graph.node("Unsqueeze", self, self._axes(axis))

    def sum(self, axis: int) -> "Value":
        return self.graph.node("ReduceSum", self, self._axes(axis), keepdims=0)

    def mean(self, axis: int) -> "Value":
        return self.graph.node("ReduceMean", self, self._axes(axis), keepdims=0)

    def chunks(self, n: int) -> "list[Value]":
        """Equal parts of the last axis."""
        return self.graph.node("Split", self, n_outputs=n, axis=-1, num_outputs=n)

    def columns(self, places: list[int]) -> "Value":
        """Some columns of a matrix, in this order."""
        return self.graph.node("Gather", self, self.graph.constant(places, "int64"), axis=1)

    def joined(self, others: "Sequence[Value]", axis: int) -> "Value":
        """This and the others, one behind the other."""
        return self.graph.node("Concat", self, *others, axis=axis) if others else self

    def _axes(self, axis: int) -> "Value":
        return self.graph.constant([axis], "int64")

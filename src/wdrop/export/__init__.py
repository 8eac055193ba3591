"""Fitted models as graphs that run without torch."""

from importlib.util import find_spec

if missing := [name for name in ("onnx", "onnxruntime") if find_spec(name) is None]:
    raise ModuleNotFoundError(f"exporting needs {' and '.join(missing)}; get them by: pip install 'wdrop[export]'")

from wdrop.export.onnx import export_onnx

__all__ = ["export_onnx"]

"""The arithmetic of a page that computes in the page: JavaScript from a module's Python, so that nothing is said twice.

What is translated is a module's private functions and constants. The subset is small: numbers, texts, lists, None,
named tuples by keyword; if, for over a range, while, return; :mod:`math`. All else is refused when the book is built,
and so is what looks alike in both languages and is not: the truth of what is no comparison, the sum of two lists, an
index from the end, // and %.
"""

from __future__ import annotations

import ast
import inspect
import json
from pathlib import Path
from types import ModuleType

from sphinx.application import Sphinx

from ldp_core.plan import _survey

#: Where the pages find them, and by which names.
FILE = "plan-arithmetic.js"
NAMES = {
    "planSurvey": "_plan", "planAfter": "_after", "planBefore": "_before", "planLaws": "_laws",
    "planMeanError": "_mean_error",
}  # fmt: skip

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.And: "&&", ast.Or: "||",
    ast.Eq: "===", ast.NotEq: "!==", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "===",
    ast.IsNot: "!==", ast.USub: "-",
}  # fmt: skip
MATH = {"exp", "log", "log2", "log10", "sqrt", "expm1", "log1p", "tanh", "ceil", "floor"}

#: Python's formats of numbers: so many digits, and thousands apart.
FORMAT = """  const formatted = (number, spec) => {
    if (spec === ",.0f") return number.toFixed(0).replace(/\\B(?=(\\d{3})+$)/g, ",");
    const digits = Number.parseInt(spec.slice(1), 10);
    const [mantissa, exponent] = number.toExponential(digits - 1).split("e").map(Number);
    if (exponent >= -4 && exponent < digits) return String(Number(number.toPrecision(digits)));
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  };
"""


def translate(module: ModuleType, names: dict[str, str]) -> str:
    """Translate a module's private functions and constants; some have global ``names``, by which they stand here."""
    said = f"// Made from {module.__name__} when the book is built."
    parts = [f'{said}\nObject.assign(globalThis, (() => {{\n  "use strict";\n{FORMAT}']
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("_"):
            parts.append(Function(node).text())
        elif isinstance(node, ast.Assign):
            for target in ast.walk(node.targets[0]):
                if isinstance(target, ast.Name) and target.id.startswith("_") and target.id != "__all__":
                    parts.append(f"  const {target.id} = {json.dumps(getattr(module, target.id))};\n")
    entries = ", ".join(f"{name}: {function}" for name, function in names.items())
    return "".join([*parts, f"  return {{ {entries} }};\n}})());\n"])


class Function:
    """One function, and what is true or false in it."""

    def __init__(self, node: ast.FunctionDef) -> None:
        self.node, self.arguments = node, [argument.arg for argument in node.args.args]
        self.truths = {a.arg for a in node.args.args if a.annotation and ast.unparse(a.annotation) == "bool"}
        self.locals: dict[str, None] = {}

    def text(self) -> str:
        """The function in JavaScript."""
        body = self.block(self.node.body, "    ")
        names = [name for name in self.locals if name not in self.arguments]
        declared = f"    let {', '.join(names)};\n" if names else ""
        return f"  function {self.node.name}({', '.join(self.arguments)}) {{\n{declared}{body}  }}\n"

    def block(self, statements: list[ast.stmt], indent: str) -> str:
        """Statements, one a line."""
        return "".join(self.statement(statement, indent) for statement in statements)

    def statement(self, node: ast.stmt, indent: str) -> str:
        """One statement."""
        inner = indent + "  "
        match node:
            case ast.Expr(ast.Constant(str())):
                return ""
            case ast.Return(ast.expr() as value):
                return f"{indent}return {self.value(value)};\n"
            case ast.Assign([target], value):
                if isinstance(target, ast.Name) and self.is_truth(value):
                    self.truths.add(target.id)
                return f"{indent}{self.target(target)} = {self.value(value)};\n"
            case ast.AugAssign(ast.Name() as target, ast.Add() | ast.Mult() as operator, value) if not is_list(value):
                return f"{indent}{self.target(target)} {OPERATORS[type(operator)]}= {self.value(value)};\n"
            case ast.If(test, body, otherwise):
                text = f"{indent}if ({self.truth(test)}) {{\n{self.block(body, inner)}{indent}}}"
                return text + (f" else {{\n{self.block(otherwise, inner)}{indent}}}\n" if otherwise else "\n")
            case ast.While(test, body, []):
                return f"{indent}while ({self.truth(test)}) {{\n{self.block(body, inner)}{indent}}}\n"
            case ast.For(ast.Name(name), ast.Call(ast.Name("range"), [*first, last], []), body, []) if len(first) < 2:
                start = self.value(first[0]) if first else "0"
                head = f"let {name} = {start}; {name} < {self.value(last)}; {name} += 1"
                return f"{indent}for ({head}) {{\n{self.block(body, inner)}{indent}}}\n"
        raise refusal(node)

    def target(self, node: ast.expr) -> str:
        """A name that is given a value, or several."""
        match node:
            case ast.Name(name):
                if name != "_":
                    self.locals[name] = None
                return "" if name == "_" else name
            case ast.Tuple(elements):
                return f"[{', '.join(self.target(element) for element in elements)}]"
        raise refusal(node)

    def is_truth(self, node: ast.expr) -> bool:
        """Whether a value is true or false, and nothing else."""
        match node:
            case ast.Compare() | ast.UnaryOp(ast.Not()) | ast.Constant(bool()):
                return True
            case ast.BoolOp(_, values):
                return all(map(self.is_truth, values))
            case ast.Name(name):
                return name in self.truths
        return False

    def truth(self, node: ast.expr) -> str:
        """A value that decides: of other types the two languages hold other values for true."""
        if not self.is_truth(node):
            raise refusal(node)
        return self.value(node)

    def value(self, node: ast.expr) -> str:
        """One expression, in brackets where it has operators."""
        match node:
            case ast.Constant(None | bool() | int() | float() | str() as constant):
                return json.dumps(constant, ensure_ascii=False)
            case ast.Name(name):
                return name
            case ast.BinOp(left, operator, right) if type(operator) in OPERATORS and not is_list(left, right):
                return f"({self.value(left)} {OPERATORS[type(operator)]} {self.value(right)})"
            case ast.UnaryOp(ast.USub(), operand):
                return f"(-{self.value(operand)})"
            case ast.UnaryOp(ast.Not(), operand):
                return f"(!{self.truth(operand)})"
            case ast.BoolOp(operator, values):
                return f"({f' {OPERATORS[type(operator)]} '.join(map(self.truth, values))})"
            case ast.Compare(left, operators, rights) if all(type(operator) in OPERATORS for operator in operators):
                sides = [self.value(side) for side in (left, *rights)]
                pairs = zip(sides, operators, sides[1:], strict=False)
                return f"({' && '.join(f'{a} {OPERATORS[type(operator)]} {b}' for a, operator, b in pairs)})"
            case ast.IfExp(test, body, otherwise):
                return f"({self.truth(test)} ? {self.value(body)} : {self.value(otherwise)})"
            case ast.List(elements) | ast.Tuple(elements):
                return f"[{', '.join(map(self.value, elements))}]"
            case ast.Starred(inner):
                return f"...{self.value(inner)}"
            case ast.Subscript(ast.Name() | ast.Call() as whole, ast.Name() | ast.Constant(int()) as index):
                return f"{self.value(whole)}[{self.value(index)}]"
            case ast.Attribute(ast.Name("math"), "inf"):
                return "Infinity"
            case ast.Attribute(whole, name) if not (isinstance(whole, ast.Name) and whole.id == "math"):
                return f"{self.value(whole)}.{name}"
            case ast.JoinedStr(pieces):
                return f"`{''.join(map(self.piece, pieces))}`"
            case ast.Call():
                return self.call(node)
        raise refusal(node)

    def call(self, node: ast.Call) -> str:
        """A call of a function of the module or of :mod:`math`, or a new named tuple."""
        values = ", ".join(map(self.value, node.args))
        match node:
            case ast.Call(ast.Name(name), _, []) if name.startswith("_"):
                return f"{name}({values})"
            case ast.Call(ast.Name("min" | "max" as name), [_, _, *_], []):
                return f"Math.{name}({values})"
            case ast.Call(ast.Attribute(ast.Name("math"), name), [_], []) if name in MATH:
                return f"Math.{name}({values})"
            case ast.Call(ast.Name("len"), [_], []):
                return f"{values}.length"
            case ast.Call(ast.Attribute(ast.Constant(str(text)), "join"), [_], []):
                return f"{values}.join({json.dumps(text)})"
            case ast.Call(ast.Name(name), [], [*_]) if name[0].isupper():
                fields = ", ".join(f"{keyword.arg}: {self.value(keyword.value)}" for keyword in node.keywords)
                return f"({{ {fields} }})"
        raise refusal(node)

    def piece(self, node: ast.expr) -> str:
        """A piece of a text with values in it."""
        match node:
            case ast.Constant(str(text)):
                return text.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$")
            case ast.FormattedValue(value, -1, None):
                return f"${{{self.value(value)}}}"
            case ast.FormattedValue(value, -1, ast.JoinedStr([ast.Constant(str(spec))])):
                if spec != ",.0f" and not (spec[0] == "." and spec[-1] == "g" and spec[1:-1].isdigit()):
                    raise refusal(node)
                return f'${{formatted({self.value(value)}, "{spec}")}}'
        raise refusal(node)


def is_list(*nodes: ast.expr) -> bool:
    """Whether one of them is a list as written: sums of lists are something else in JavaScript."""
    return any(isinstance(node, (ast.List, ast.Tuple)) for node in nodes)


def refusal(node: ast.AST) -> ValueError:
    """Say what is no part of the subset."""
    return ValueError(f"line {getattr(node, 'lineno', '?')}: not translated: {ast.unparse(node)}")


def _write(app: Sphinx, error: Exception | None) -> None:
    if not error and app.builder.format == "html":
        Path(app.outdir, "_static", FILE).write_text(translate(_survey, NAMES), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Write the file when the pages are done."""
    app.connect("build-finished", _write)

"""The syntax of JavaScript that iOS 12.2 and Chrome 63 know, as a list: it is that of no edition of the language.

Both know ECMAScript 2017. Of what is newer both know properties spread in objects, and `import()`; but named groups in
regular expressions, of the same year as the first, only one of them.
"""

import re
from collections.abc import Iterator

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser

PARSER = Parser(Language(tree_sitter_javascript.language()))
# By the parser's names. What is not here is refused: before you add something, look it up in MDN's browser-compat-data.
NAMES = """
program comment identifier property_identifier shorthand_property_identifier true false null undefined this super
number string string_fragment escape_sequence regex regex_pattern regex_flags
template_string template_substitution array object pair computed_property_name method_definition spread_element
array_pattern object_pattern pair_pattern rest_pattern assignment_pattern object_assignment_pattern
shorthand_property_identifier_pattern
arguments arrow_function assignment_expression augmented_assignment_expression await_expression binary_expression
call_expression function_expression generator_function member_expression new_expression parenthesized_expression
sequence_expression subscript_expression ternary_expression unary_expression update_expression yield_expression
break_statement continue_statement do_statement else_clause empty_statement expression_statement for_in_statement
for_statement formal_parameters function_declaration generator_function_declaration if_statement labeled_statement
lexical_declaration return_statement statement_block statement_identifier throw_statement variable_declaration
variable_declarator while_statement
switch_statement switch_body switch_case switch_default try_statement catch_clause finally_clause
class class_body class_declaration class_heritage
export_clause export_specifier export_statement import import_clause import_specifier import_statement named_imports
namespace_import
as async await break case catch const continue default delete do else export extends finally for from function get
if in instanceof let new of return set static switch throw try typeof var void while yield
( ) [ ] { } ${ ` " ' . , ; : ? => ... = == != === !== < > <= >= + - * / % ** ++ -- & | ^ ~ << >> >>> && || !
+= -= *= /= %= **= &= |= ^= <<= >>= >>>=
"""
KNOWN = frozenset(NAMES.split())
TEXTS = {  # where newer ones have the same name: those that are known
    "identifier": "(?!await$).*",  # else what the parser takes for a call, outside of async functions
    "number": r"(0|[1-9]\d*)(\.\d*)?([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+",
    "regex_flags": "[gimuy]*",
    "regex_pattern": r"([^\\(]|\((?!\?)|\(\?[:=!]|\\[^pPk])*",
    "string_fragment": "[^\u2028\u2029]*",
}


def newer(script: str) -> list[tuple[int, str]]:
    """What of a module the browsers may not know, or the parser does not: its line and its text."""
    module = PARSER.parse(script.encode()).root_node
    return [(node.start_point.row + 1, text(node)) for node in unknown(module, waits=False)]


def text(node: Node) -> str:
    return (node.text or b"").decode()


def unknown(node: Node, *, waits: bool) -> Iterator[Node]:
    """The parts of this one that are not known, the largest of each. `waits`: it is in an async function."""
    kinds = {child.type for child in node.children}
    if node.is_missing or node.type not in KNOWN or not known(node, kinds, waits=waits):
        yield node
        return
    if kinds & {"formal_parameters", "=>"}:
        waits = "async" in kinds
    for child in node.children:
        yield from unknown(child, waits=waits)


def known(node: Node, kinds: set[str], *, waits: bool) -> bool:
    """Whether the known form has been written, where newer ones have the same name."""
    match node.type:
        case "await_expression":
            return waits
        case "call_expression" if "import" in kinds:
            return all(child.type != "," for child in node.children[1].children)
        case "catch_clause":
            return "(" in kinds
        case "export_specifier" | "import_specifier":
            return "string" not in kinds
        case "for_in_statement":
            return "await" not in kinds
        case "generator_function" | "generator_function_declaration" | "method_definition":
            return not {"async", "*"} <= kinds
        case name:
            return name not in TEXTS or bool(re.fullmatch(TEXTS[name], text(node)))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the ```cpp examples of the public headers as functions of one C++ file, for a compiler to check; fails where a
class has none.

    examples_of_headers.py INCLUDE_DIR OUTPUT.cpp
"""
import pathlib
import re
import sys


def examples(header: pathlib.Path):
    """The blocks of a header's comments, each with its first line's number."""
    block, start = None, 0
    for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
        text = re.sub(r"^\s*/// ?", "", line)
        if block is None:
            if line.lstrip().startswith("///") and text.strip() == "```cpp":
                block, start = [], number + 1
        elif text.strip() == "```":
            yield start, block
            block = None
        else:
            block.append(text)


def classes_without(header: pathlib.Path):
    """The classes whose comment does not end with an example."""
    before = ""
    for line in header.read_text(encoding="utf-8").splitlines():
        found = re.match(r"class (\w+)[^;]*\{", line)
        if found and before != "/// ```":
            yield found[1]
        if not line.startswith("template"):
            before = line


def main() -> int:
    include, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    headers = sorted((include / "vergence").glob("*.hpp"))
    lines = [f"#include <vergence/{header.name}>" for header in headers]
    lines += ["#include <cstdint>", "#include <span>", "#include <vector>", "using namespace vergence;"]
    count = 0
    bare = [f"{header}: class {name} has no example" for header in headers for name in classes_without(header)]
    if bare:
        print("\n".join(bare), file=sys.stderr)
        return 1
    for header in headers:
        for start, block in examples(header):
            count += 1
            lines += [f"void example_{count}() {{", f'#line {start} "{header}"', *block, "}"]
    if count == 0:
        print("no example was found", file=sys.stderr)
        return 1
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{count} examples")
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
# Lists functions of C++ files and kernels with more lines than -v most=N, from the line that opens them to the one that
# closes them: "FILE:LINE: LINES lines". Lambdas count as part of the function they stand in.

# What a brace opens: a function, a part of one, or what holds declarations or values.
function kind_of(before) {  # reads depth and kinds
  if (depth > 0 && kinds[depth] != "scope") return "part"
  if (before ~ /(^|[^a-z_])(namespace|class|struct|union|enum|extern)[^a-z_]/ && before !~ /\)[ a-z]*$/) return "scope"
  if (before ~ /=[ ]*$/ || before !~ /\(/) return "scope"
  return "function"
}

FNR == 1 { depth = conditions = 0; text = ""; comment = 0; continued = 0 }
continued { continued = /\\$/; next }
/^[ ]*#/ {
  # The branches of a condition open the same braces again.
  if ($0 ~ /^[ ]*#[ ]*if/) saved[++conditions] = depth
  else if ($0 ~ /^[ ]*#[ ]*el/ && conditions > 0) depth = saved[conditions]
  else if ($0 ~ /^[ ]*#[ ]*endif/ && conditions > 0) --conditions
  continued = /\\$/
  next
}
{
  line = $0
  gsub(/\\./, "", line)
  gsub(/"[^"]*"/, "\"\"", line)
  gsub(/'.'/, "0", line)
  sub(/\/\/.*/, "", line)
  while (match(line, /[{};]/)) {
    text = text " " substr(line, 1, RSTART - 1)
    mark = substr(line, RSTART, 1)
    line = substr(line, RSTART + 1)
    if (mark == "{") {
      kind = kind_of(text)
      kinds[++depth] = kind
      starts[depth] = FNR
    } else if (mark == "}" && depth > 0) {
      if (kinds[depth] == "function" && FNR - starts[depth] + 1 > most)
        printf "%s:%d: %d lines\n", FILENAME, starts[depth], FNR - starts[depth] + 1
      --depth
    }
    text = ""
  }
  text = text " " line
}

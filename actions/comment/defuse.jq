# Takes from a Markdown text what could act under the name of the commenting account. What hone writes passes unchanged, apart from
# an at sign in a command.
#   HTML        only the elements that hone uses, without attributes; no comments, which could pose as the marker
#   @name       would notify people: an invisible character stands behind the sign
#   links       neither links with a text of their own, nor images, nor references; a bare address stays, since it shows where it leads

def allowed: "^</?(details|summary|code)>$";

gsub("\r"; "")
| gsub("(?<tag></?[A-Za-z][^<>]*>?|<[!?])"; if .tag | test(allowed) then .tag else "&lt;" + .tag[1:] end)
| gsub("@"; "@\u200b")
| gsub("\\]\\("; "]&#40;")
| gsub("\\]\\["; "]&#91;")
| gsub("\\]:"; "]&#58;")
| gsub("!\\["; "!&#91;")

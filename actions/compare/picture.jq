# Draws the intervals of a comparison or of benchmarks, as hone show --json prints them, in a block of text:
#
#     change from A to B        -10 %                         0                          +10 %
#     CPU per request                              [----o---]                            -2.1 %  faster
#
# o is the estimate, [ and ] are the ends of the interval, < and > stand for an end beyond the scale.

def half: 30; # columns on each side of no change

def plain: gsub("[^ -~]|`"; "?"); # nothing here can end the block

def pad($width): .[0:$width] + " " * ([$width - length, 0] | max);

def lead($width): " " * ([$width - length, 0] | max) + .;

# percent writes a change with one digit behind the point.
def percent:
  (. * 10 | round) as $tenths
  | (if $tenths > 0 then "+" elif $tenths < 0 then "-" else "" end)
    + ($tenths | fabs | "\((. / 10) | floor).\(. % 10) %");

# rows are the measures that have an interval with two ends; low, high and estimate are changes in per cent.
def rows:
  (if .comparison then
    (.comparison.contests | length) as $contests
    | .comparison.contests[]
    | (if $contests > 1 then " (" + ("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[.b:.b + 1]) + ")" else "" end) as $variant
    | .verdicts[] | {name: (.measure.name + $variant), verdict: .}
  else
    .benchmarks[]? | .name as $name
    | .verdicts[]? | select(.measure.key == "time") | {name: $name, verdict: .}
  end)
  | select((.verdict.low // 0) > 0 and .verdict.high != null)
  | {name: (.name | plain), word: (.verdict.verdict | plain)}
    + (.verdict | {low: ((.low - 1) * 100), high: ((.high - 1) * 100), estimate: ((.ratio - 1) * 100)});

# scale is where the picture ends: a round number that three of four intervals fit in.
def scale:
  (map([(.low | fabs), (.high | fabs)] | max) | sort | .[(length * 3 / 4 | ceil) - 1]) as $wide
  | first((1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) | select(. >= $wide)) // 1000;

def column($scale): half + (. / $scale * half | round);

def draw($scale):
  (.low | column($scale)) as $low
  | (.high | column($scale)) as $high
  | (.estimate | column($scale)) as $estimate
  | [range(0; 2 * half + 1) as $at
    | if $at == $estimate then "o"
      elif $at == 0 and $low < 0 then "<"
      elif $at == 2 * half and $high > 2 * half then ">"
      elif $at == $low then "["
      elif $at == $high then "]"
      elif $at == half then "|"
      elif $at > $low and $at < $high then "-"
      else " " end]
  | join("");

[rows] | .[0:40]
| if length == 0 then empty else
    scale as $scale
    | (map(.name | length) | max | [., 40] | min | [., 22] | max) as $width
    | "```text",
      (("change from A to B" | pad($width)) + "  " + ("-\($scale) %" | pad(half)) + "0" + ("+\($scale) %" | lead(half))),
      (.[] | (.name | pad($width)) + "  " + draw($scale) + "  " + (.estimate | percent | lead(9)) + "  " + .word),
      "",
      "o estimate   [---] interval   < > goes on beyond the scale   | no change",
      "```"
  end

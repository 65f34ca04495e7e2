// LaTeX commands whose first letter is b, f, n, r or t, from the tables of symbols and of amsmath.
#include "text/latex.h"

#include <cstddef>

#include "base/strings.h"

namespace shunt::text {
namespace {

constexpr std::string_view kCommands =
    "backslash|bar|barwedge|because|begin|beta|beth|between|bf|big|bigcap|bigcirc|bigcup|bigg|bigl|bigoplus|"
    "bigotimes|bigr|bigstar|bigtriangledown|bigtriangleup|biguplus|bigvee|bigwedge|binom|blacksquare|bmatrix|"
    "bmod|bold|boldsymbol|bot|bowtie|box|boxed|breve|bullet|"
    "fbox|flat|fint|forall|frac|frown|frak|footnotesize|"
    "nabla|natural|ne|nearrow|neg|neq|newline|nexists|ngeq|ni|nleq|nmid|nolimits|nonumber|norm|not|notag|"
    "notin|"
    "nparallel|nsubseteq|nsupseteq|nu|nwarrow|"
    "raise|rangle|rbrace|rbrack|rceil|real|ref|renewcommand|rfloor|rho|right|rightarrow|rightharpoonup|"
    "rightleftharpoons|rightsquigarrow|rm|root|rule|rvert|rVert|"
    "tag|tan|tanh|tau|tbinom|tensor|text|textbf|textcolor|textit|textrm|textsf|textstyle|texttt|tfrac|"
    "therefore|"
    "theta|thetasym|thickapprox|thickspace|thinspace|tilde|times|tiny|to|top|triangle|triangledown|"
    "triangleleft|"
    "triangleq|triangleright|twoheadrightarrow";

}  // namespace

bool is_latex_command(std::string_view behind) {
  std::size_t letters = 0;
  while (letters < behind.size() && is_alpha(behind[letters])) ++letters;
  const std::string_view name = behind.substr(0, letters);
  return any_of_list(kCommands, [&](std::string_view command) { return command == name; });
}

}  // namespace shunt::text

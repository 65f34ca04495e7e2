// The reader of C++ behind scripts/tidy.mjs: a rule that finds nothing must have looked.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {blank, functions} from '../../scripts/lib/cpp.mjs';

const found = (text) =>
    functions(blank(text))
        .map(({ name, parameters, line, lines }) => `${name}/${parameters} ${line}+${lines}`);

test('comments and literals are blanked, lines and code stay', () => {
  assert.equal(blank('a // throw\nb'), 'a         \nb');
  assert.equal(blank('a /* x\ny */ b'), 'a     \n     b');
  assert.equal(blank('f("thr\\"ow", \'{\');'), 'f("       ", \' \');');
  assert.equal(blank('R"(a " { b)" x'), 'R"         " x');
  assert.equal(blank('1\'000 + \'x\' // y'), '1\'000 + \' \'     ');
});

const cases = [
  ['a free function', 'int f(int a, int b) {\n  return a;\n}', ['f/2 1+3']],
  ['inside namespaces', 'namespace a::b {\nnamespace {\nvoid g() {}\n}\n}', ['g/0 3+1']],
  ['a member with qualifiers', 'struct S {\n  int m(int) const noexcept { return 1; }\n};', ['m/1 2+1']],
  [
    'templates in parameters are one', 'void f(std::map<int, int> m, std::function<void(int, int)> g) {}',
    ['f/2 1+1']
  ],
  ['a trailing return type', 'auto f(int a) -> std::vector<int> {\n}', ['f/1 1+2']],
  [
    'a constructor with braces in its list', 'A::A(int x, int y) : x_{x}, y_(y) {\n  go();\n}', ['A::A/2 1+3']
  ],
  [
    'tables are not functions',
    'constexpr int kRows[] = {1,\n 2};\nconstexpr auto k = make(1, {2});\nint h() {\n}', ['h/0 4+2']
  ],
  [
    'lambdas belong to the function around them',
    'int f() {\n  auto g = [](int a, int b) {\n    return a;\n  };\n}', ['f/0 1+5']
  ],
  [
    'attributes are not parameters', '[[nodiscard]] __attribute__((export_name("p"))) int p(int a) {\n}',
    ['p/1 1+2']
  ],
  ['extern "C"', 'extern "C" {\nvoid c(int a) {}\n}', ['c/1 2+1']],
  [
    'enums and classes are containers',
    'enum class E : int { a, b };\nclass C : public B {\n public:\n  C() {}\n};', ['C/0 4+1']
  ],
];
for (const [name, text, expected] of cases) {
  test(name, () => assert.deepEqual(found(text), expected));
}

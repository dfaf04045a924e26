// SPDX-License-Identifier: Apache-2.0
/// Calls both shared libraries, in turn.
bool first_part();
bool second_part();

int main() {
  const bool right = first_part() && second_part() && first_part();
  return right ? 0 : 1;
}

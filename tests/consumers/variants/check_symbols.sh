#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Fails where two libraries define functions of one name, or where there is none in the object before they were made local.
# Usage: check_symbols.sh NM LIBRARY LIBRARY OBJECT
set -eu
functions() { # with the tables of virtual functions
  "$nm" -C -f sysv "$1" 2> /dev/null |
    awk -F '|' '$3 ~ /^ *[WT] *$/ && $4 ~ /FUNC/ || $3 ~ /^ *V *$/ && $1 ~ /^vtable for/ { print $1 }' | sort -u
}
nm=$1
if [ "$(functions "$4" | grep -c 'lanefold::')" -eq 0 ]; then
  echo "the object has no weak function of Lanefold: this test says nothing"
  exit 1
fi
functions "$2" > first.txt
functions "$3" > second.txt
if [ "$(cat first.txt second.txt | wc -l)" -ne 2 ] || [ -n "$(comm -12 first.txt second.txt)" ]; then
  echo "the linker may choose:"
  cat first.txt second.txt
  exit 1
fi

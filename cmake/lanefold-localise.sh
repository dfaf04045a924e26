#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Joins objects to one in which functions that other objects may define, too, are local: those from inline functions and
# templates, with their tables of virtual functions and type descriptions. Variables stay what they are: the whole program
# shares them.
# Usage: lanefold-localise.sh LD NM OBJCOPY RESULT OBJECT...
set -eu
ld=$1
nm=$2
objcopy=$3
result=$4
shift 4
"$ld" -r --force-group-allocation -o "$result.joined" "$@"
# Columns are name, value, class, type. Class W and V are weak, u is unique; _ZTV, _ZTI, _ZTS and _ZTT name tables and types,
# which become local with the functions. What is left are variables: their groups are gone, so they are made weak for the
# linker to join them.
"$nm" -f sysv "$result.joined" | awk -F '|' -v local="$result.local" -v weak="$result.weak" '
  BEGIN { printf "" > local; printf "" > weak }
  { gsub(/ /, "") }
  $3 !~ /^[WVu]$/ { next }
  { print $1 > (($3 == "W" && $4 == "FUNC") || $1 ~ /^_ZT[VIST]/ ? local : weak) }'
"$objcopy" "--localize-symbols=$result.local" "--weaken-symbols=$result.weak" "$result.joined" "$result"
rm "$result.joined" "$result.local" "$result.weak"

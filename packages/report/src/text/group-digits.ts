/** Digits of a whole number with thousands in groups, from five digits on: `10 000`. */
export function groupDigits(digits: string): string {
  return digits.replace('-', '').length > 4 ? digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ' ') : digits;
}

import fc from "fast-check";

/** Numbers of up to 400 digits. */
export const hostileDigits = fc.stringMatching(/^\d{1,400}$/);

/** NUL, halves of surrogates, escape sequences and others that databases, terminals and JSON treat specially. */
const odd = fc.constantFrom(
    "\0",
    "\u202e",
    "\ud800",
    "\udfff",
    "\u001b[31m",
    "\r",
    "\n",
    "\u2028",
    "😀",
    "'",
    '"',
    "%",
    "</script>",
);

const shortText = fc
    .array(fc.oneof(odd, fc.string({ unit: "binary", maxLength: 20 }), hostileDigits), { maxLength: 20 })
    .map((parts) => parts.join(""));

/** Short texts, and now and then a line of a megabyte. */
export const hostileText = fc.oneof(
    { weight: 30, arbitrary: shortText },
    { weight: 1, arbitrary: shortText.map((text) => (text || "x").slice(0, 50).repeat(20_000).slice(0, 1_000_000)) },
);

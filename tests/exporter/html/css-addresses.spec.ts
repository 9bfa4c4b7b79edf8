import assert from "node:assert/strict";
import { rewriteCssAddresses } from "../../../exporter/src/html/css-addresses.js";

function addressesIn(css: string): string[] {
    const found: string[] = [];
    rewriteCssAddresses(css, (href) => {
        found.push(href);
        return href;
    });
    return found;
}

describe("The addresses in CSS", () => {
    it("are those in url(…) and after @import, outside of comments", () => {
        const css = `@import "a.css"; b { background: url(b.png), url("c.png"), url('d.png') } /* url(e.png) */`;
        assert.deepEqual(addressesIn(css), ["a.css", "b.png", "c.png", "d.png"]);
    });

    it("do not include those in a picture that is part of the CSS", () => {
        for (const [outer, inner] of [`"'`, `'"`] as const) {
            const picture = `data:image/svg+xml,<svg><g filter=${inner}url(%23blur)${inner} fill=url(%23a)/></svg>`;
            assert.deepEqual(addressesIn(`a { background: url(${outer}${picture}${outer}) }`), [picture]);
        }
    });
});

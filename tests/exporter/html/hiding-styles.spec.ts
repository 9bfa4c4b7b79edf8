import assert from "node:assert/strict";
import { hidingRules } from "../../../exporter/src/html/hiding-styles.js";

describe("style rules that could hide a whole page", () => {
    const hiding = (css: string) => hidingRules(css).map(({ selector, line }) => `${line}: ${selector}`);

    it("are reported with their lines if they apply to the page or its main parts", () => {
        const css =
            "/* a comment */\nhtml:not([data-ready]) { visibility: hidden }\n.a, body.wait > main { opacity: 0; }\n";
        assert.deepEqual(hiding(css), ["2: html:not([data-ready])", "3: body.wait > main"]);
        assert.deepEqual(hiding("#content-area{display:none!important}"), ["1: #content-area"]);
    });

    it("are not reported if they apply to small parts of a page, or hide nothing", () => {
        const css =
            ".card * { display: none } main .x { opacity: 0 } body::before { display: none } html { opacity: 0.5 }";
        assert.deepEqual(hiding(`${css} *.closed { visibility: hidden } main { overflow: hidden }`), []);
    });
});

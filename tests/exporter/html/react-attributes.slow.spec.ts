import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parseFragment } from "parse5";
import { styleText, writeAttributes } from "../../../exporter/src/html/html-attributes.js";
import { attributesOfProps } from "../../../exporter/src/html/react-attributes.js";
import { type Value } from "../../../exporter/src/text/script-value.js";
import { articleOf } from "../support/one-page.js";

const require = createRequire(import.meta.url);
const { createElement } = require("react") as { createElement(type: string, props: object): object };
const { renderToStaticMarkup } = require("react-dom/server") as { renderToStaticMarkup(element: object): string };

const elements = ["a", "div", "iframe", "input", "ol", "option", "source", "svg", "td"];

const props = (
    "accept acceptCharset accessKey action allow allowFullScreen alt aria-checked aria-hidden aria-label aria-level " +
    "async autoCapitalize autoComplete autoFocus autoPlay autoReverse capture cellPadding charSet cite " +
    "className clipPath clipRule colSpan cols contentEditable controls coords crossOrigin data-count data-open " +
    "dateTime decoding default defaultChecked defaultValue defer dir disabled disablePictureInPicture " +
    "dominantBaseline download draggable encType enterKeyHint externalResourcesRequired fetchPriority fillOpacity " +
    "focusable fontFamily fontSizeAdjust for form formNoValidate frameBorder gradientTransform headers height hidden " +
    "high href hrefLang htmlFor httpEquiv id imageSizes inert inputMode is itemID itemProp itemScope key kind label " +
    "lang list loading loop low markerEnd max maxLength media method min muted multiple name noModule noValidate " +
    "open optimum pattern placeholder playsInline pointerEvents poster preload preserveAlpha preserveAspectRatio " +
    "readOnly referrerPolicy rel required reversed role rowSpan rows sandbox scope shape size sizes slot span " +
    "spellCheck src srcLang srcSet start step stopColor strokeDasharray strokeLinecap strokeMiterlimit strokeWidth " +
    "suppressContentEditableWarning suppressHydrationWarning tabIndex target textAnchor title transform " +
    "transformOrigin translate type useMap value vectorEffect viewBox width wrap xHeight xlinkHref xlinkTitle " +
    "xmlLang xmlSpace unknown"
).split(" ");

const values: readonly Value[] = [true, false, null, undefined, "", "a", "true", "false", "2", 0, 1, 2.5, -1];
const lists: readonly Value[] = [[], ["a", "b"], [1, 2]];

describe("Attributes of JSX", () => {
    for (const element of elements) {
        it(`are those that React prints on <${element}>`, () => {
            for (const name of element === "input" ? ["checked", ...props] : props) {
                for (const value of name === "className" ? values : [...values, ...lists]) {
                    const shown = `<${element} ${name}={${JSON.stringify(value)}}>`;
                    assert.deepEqual(ours(element, { [name]: value }), reacts(element, { [name]: value }), shown);
                }
            }
        });
    }

    it("have the units that React gives to numbers in styles", () => {
        const names = [...unitless(), "marginTop", "fontSize", "msFilter", "msTransform", "WebkitFilter", "MozTabSize"];
        for (const name of [...names, "--size", "--Size"]) {
            for (const value of [0, 1, 1.5, -2, "", " 3em ", "4", true, false, null, undefined]) {
                const style = { width: 1, [name]: value, color: "red" };
                const shown = `${name}: ${JSON.stringify(value)}`;
                assert.equal(`style=${styleText(style)}`, reacts("div", { style }).join(), shown);
            }
        }
    });

    it("choose the options of a list, and fill a text field", async () => {
        const { html, warnings } = await articleOf(
            '<select defaultValue="b"><option value="a">A</option><option value="b">B</option></select>\n\n' +
                '<select multiple value={["a", "c"]}><option>a</option><option>b</option><option>c</option></select>\n\n' +
                '<select><option selected value="d">D</option></select>\n\n' +
                '<textarea rows={2} defaultValue="a < b" />\n\n<textarea>written</textarea>\n',
        );
        assert.deepEqual(
            html.match(/<option[^>]*>/g)?.map((tag) => / selected/.test(tag)),
            [false, true, true, false, true, true],
        );
        assert.doesNotMatch(html, /<select[^>]*value/i);
        assert.deepEqual(html.match(/<textarea.*?<\/textarea>/g), [
            '<textarea rows="2">a &lt; b</textarea>',
            "<textarea>written</textarea>",
        ]);
        assert.deepEqual(warnings, []);
    });

    it("may have HTML's names, and a style that is text", () => {
        const found = ours("video", { class: "a", autoplay: true, "stroke-width": 2, style: "color: red" });
        assert.deepEqual(found, ["autoplay=", "class=a", "stroke-width=2", "style=color: red"]);
        assert.deepEqual(ours("div", { hidden: "until-found" }), ["hidden=until-found"]);
    });

    it("have the strings and numbers of a list: with spaces for classes, with commas for all others", () => {
        const list = ["a", null, ["b"], {}, 2];
        assert.deepEqual(ours("div", { className: list, title: list }), ["class=a 2", "title=a,2"]);
    });

    it("show nothing of objects, except of styles", () => {
        assert.deepEqual(ours("form", { action: {}, title: { a: 1 }, style: { top: 1 } }), ["style=top:1px"]);
    });

    it("cannot smuggle another attribute in with their name", () => {
        assert.deepEqual(ours("div", { "x onclick": "alert(1)", "y=1 onclick": "", "z>": "" }), []);
    });

    it("lead to the same addresses in a list as alone", async () => {
        const { html } = await articleOf('<a href={["javascript:alert(1)"]}>One</a>\n');
        assert.doesNotMatch(html, /javascript:/);
    });
});

/** The properties that React's own source lists as numbers without a unit. */
function unitless(): string[] {
    const file = join(dirname(require.resolve("react-dom/server")), "cjs/react-dom-server.node.development.js");
    const list = /"(animationIterationCount [^"]+)"/.exec(readFileSync(file, "utf8"))?.[1]?.split(" ") ?? [];
    assert.ok(list.length > 60, `${list.length} names`);
    return list;
}

function ours(element: string, given: Readonly<Record<string, Value>>): string[] {
    return attributesIn(`<div${writeAttributes(attributesOfProps(element, given, () => undefined))}>`);
}

/** React also writes warnings about the values to the console. */
function reacts(element: string, given: object): string[] {
    const { error } = console;
    console.error = () => undefined;
    try {
        return attributesIn(renderToStaticMarkup(createElement(element, given)).replace(`<${element}`, "<div"));
    } finally {
        console.error = error;
    }
}

function attributesIn(html: string): string[] {
    const [element] = parseFragment(html).childNodes;
    const attributes = element !== undefined && "attrs" in element ? element.attrs : [];
    return attributes.map(({ name, value }) => `${name}=${value}`).sort();
}

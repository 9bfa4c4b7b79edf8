import assert from "node:assert/strict";
import fc from "fast-check";
import { SecretFilter, Secrets } from "../../../service/src/output/secret-filter.js";

/** What is written of an output that arrives in parts. */
function filtered(parts: readonly (string | Buffer)[], secrets: readonly string[], keepsStyles = false): string {
    const written: string[] = [];
    const filter = new SecretFilter(new Secrets(secrets), (text) => written.push(text), { keepsStyles });
    parts.forEach((part) => filter.addOutput(Buffer.from(part)));
    filter.end();
    return written.join("");
}

describe("The filter of secrets", () => {
    it("hides a value that is part of another, and values that overlap", () => {
        const password = "hunter2hunter2";
        const url = `postgres://docs:${password}@db/docs`;
        for (const secrets of [
            ["docs:hunter2", password, url],
            [url, password, "docs:hunter2"],
        ]) {
            assert.equal(filtered([`a ${url} b`], secrets), "a *** b");
            assert.equal(filtered([`a docs:${password} b`], secrets), "a *** b");
            assert.equal(filtered([`a ${password} b`], secrets), "a *** b");
        }
        assert.equal(filtered(["abcdefghijkl"], ["abcdefg", "efghijkl"]), "***");
    });

    it("hides a value with quotes as shells, Python, Node.js, addresses and HTML print it", () => {
        const secret = String.raw`it's "odd" & <s3cret> \n é+/=`;
        for (const printed of [
            String.raw`'it'\''s "odd" & <s3cret> \n é+/='`,
            String.raw`'it'"'"'s "odd" & <s3cret> \n é+/='`,
            String.raw`'it\'s "odd" & <s3cret> \\n é+/='`,
            "`" + String.raw`it's "odd" & <s3cret> \\n é+/=` + "`",
            "(it%27s%20%22odd%22%20%26%20%3Cs3cret%3E%20%5Cn%20%C3%A9%2B/%3D)",
            String.raw`(it&#x27;s &quot;odd&quot; &amp; &lt;s3cret&gt; \n é+/=)`,
        ]) {
            assert.equal(filtered([printed], [secret]), `${printed[0]}***${printed.at(-1)}`);
        }
    });

    it("hides a value that arrives in any two parts, or character by character", () => {
        const text = "before s3cret-välue after";
        const bytes = Buffer.from(text);
        for (let cut = 0; cut <= bytes.length; cut += 1) {
            const parts = [bytes.subarray(0, cut), bytes.subarray(cut)];
            assert.equal(filtered(parts, ["s3cret-välue"]), "before *** after");
        }
        const single = [...bytes].map((byte) => Buffer.from([byte]));
        assert.equal(filtered(single, ["s3cret-välue"]), "before *** after");
    });

    it("hides the beginning of a value with which the output ends, and shows shorter beginnings", () => {
        assert.equal(filtered(["token: s3cret-va"], ["s3cret-value"]), "token: ***");
        assert.equal(filtered(["token: s3cr"], ["s3cret-value"]), "token: s3cr");
    });

    it("holds back no more than the beginning of a value", () => {
        const written: string[] = [];
        const filter = new SecretFilter(new Secrets(["s3cret-value"]), (text) => written.push(text));
        filter.add("Thinking s3cr");
        assert.deepEqual(written, ["Thinking "]);
        filter.add("ewdriver, the end of lines\n");
        assert.equal(written.join(""), "Thinking s3crewdriver, the end of lines\n");
    });

    it("hides each line of a value, also if lines are indented or wrapped elsewhere", () => {
        const key = "-----BEGIN KEY-----\nMIIEvQIBADANBg\nkqhkiG9w0BAQEF\nxy==\n-----END KEY-----\n";
        assert.equal(filtered([`x\n${key}y`], [key]), "x\n***\n***\n***\n***\n***\ny");
        assert.equal(
            filtered(["key: |\n    MIIEvQIBADANBg\n    kqhkiG9w0BAQEF\n"], [key]),
            "key: |\n    ***\n    ***\n",
        );
        assert.equal(filtered(["kqhkiG9\r\nw0BAQEF"], [key]), "***\r\n***");
    });

    it("hides values that contain or are between colours, and keeps the colours", () => {
        const text = "\u001b[1ms3cret-\u001b[31mva\u001b[0mlue!";
        assert.equal(filtered([text], ["s3cret-value"]), "***!");
        assert.equal(filtered([text], ["s3cret-value"], true), "\u001b[1m***\u001b[31m\u001b[0m!");
        assert.equal(filtered(["\u001b]0;s3cret-value\u0007a"], ["s3cret-value"], true), "a");
    });

    const value = 'pä"ss/w:o rd+\\&';
    const forms: Record<string, string> = {
        JSON: JSON.stringify({ value }).slice(10, -2),
        "JSON in ASCII": 'p\\u00e4\\"ss/w:o rd+\\\\&',
        "the password of an address": new URL(`http://u:${encodeURIComponent(value)}@h`).password,
        "an encoded value": encodeURIComponent(value),
        "an encoded value with small digits": encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase()),
        "a form": new URLSearchParams({ value }).toString().slice("value=".length),
    };
    for (const [form, text] of Object.entries(forms)) {
        it(`hides a value in another form: ${form}`, () => {
            assert.equal(filtered([`<${text}>`], [value]), "<***>");
        });
    }

    it("hides a value as Base64, also within a longer text, in lines, and with the letters for addresses", () => {
        const secret = "s3cret?>value~~".repeat(6);
        for (const user of ["", "u", "us", "use"]) {
            const bytes = Buffer.from(`${user}${secret}`);
            for (const text of [bytes.toString("base64"), bytes.toString("base64url")]) {
                const shown = filtered([text], [secret]);
                assert.match(shown, /^\w{0,4}\*\*\*\w{0,1}=*$/);
                const lines = text.replace(/.{64}/g, "$&\n");
                assert.doesNotMatch(filtered([lines], [secret]), /\w{6}/);
            }
        }
    });

    it("leaves short values, which are common words", () => {
        assert.equal(filtered(["a word"], ["", "a", "word"]), "a word");
    });

    it("writes the same wherever the parts end, and no value", () => {
        const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\u001b[1m", "é", "\r"), maxLength: 40 });
        const secrets = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "é"), minLength: 6, maxLength: 9 }), {
            minLength: 1,
            maxLength: 4,
        });
        const cuts = fc.array(fc.nat(60), { maxLength: 6 });
        fc.assert(
            fc.property(letters, secrets, cuts, fc.boolean(), (text, values, places, keepsStyles) => {
                const bytes = Buffer.from(text);
                const ends = [...places.sort((one, other) => one - other), bytes.length];
                const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
                const whole = filtered([text], values, keepsStyles);
                assert.equal(filtered(parts, values, keepsStyles), whole);
                // oxlint-disable-next-line no-control-regex
                const seen = whole.replace(/\u001b\[1m/g, "");
                assert.ok(values.every((each) => !seen.includes(each)));
            }),
            { numRuns: 1000 },
        );
    });
});

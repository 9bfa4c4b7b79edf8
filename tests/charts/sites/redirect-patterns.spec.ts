import assert from "node:assert/strict";
import fc from "fast-check";
import { edgeRules } from "./support/edge-rules.js";

const escape = (text: string) => text.replace(/[.]/g, "\\.");

describe("The patterns of a map of redirects", () => {
    it("match the same addresses as their regular expressions", () => {
        const segment = fc.constantFrom("a", "b.c", "old", ":", "*");
        const pattern = fc
            .array(segment, { minLength: 1, maxLength: 4 })
            .filter((parts) => parts.indexOf("*") === parts.lastIndexOf("*"));
        const path = fc.array(fc.constantFrom("a", "b.c", "bxc", "old", "x"), { minLength: 1, maxLength: 5 });
        fc.assert(
            fc.property(pattern, path, (parts, sent) => {
                const expression = parts
                    .map((part, index) =>
                        part === ":" ? `(?<p${index}>[^/]+)` : part === "*" ? `(?<p${index}>.*)` : escape(part),
                    )
                    .join("/");
                const address = `/${sent.join("/")}`;
                const found = edgeRules.followPattern(`"/first" "/second";\n"~^/${expression}$" "/found";\n`, address);
                assert.equal(found, new RegExp(`^/${expression}$`).test(address) ? "/found" : undefined, expression);
            }),
        );
    });

    it("may have a capture within a part of the address", () => {
        const line = '"~^/articles/concepts-(?<p1>[^/]+)\\.html$" "/new/${p1}";\n';
        assert.equal(edgeRules.followPattern(line, "/articles/concepts-start.html"), "/new/start");
        assert.equal(edgeRules.followPattern(line, "/articles/concepts-.html"), undefined);
        assert.equal(edgeRules.followPattern(line, "/articles/concepts-a/b.html"), undefined);
        const twice = line.replace("concepts-", "(?<p0>[^/]+)");
        assert.equal(edgeRules.followPattern(twice, "/articles/ab.html"), undefined);
    });

    it("are found at the end of a long map, and a miss among 500 is cheap", () => {
        const map = Array.from({ length: 500 }, (_, index) => `"~^/v${index}/(?<p1>.*)$" "/new/\${p1}";`).join("\n");
        assert.equal(edgeRules.followPattern(map, "/v499/guide"), "/new/guide");
        const start = process.cpuUsage();
        for (let request = 0; request < 100; request += 1) {
            assert.equal(edgeRules.followPattern(map, "/none"), undefined);
        }
        const milliseconds = process.cpuUsage(start).user / 1000 / 100;
        assert.ok(milliseconds < 1, `${milliseconds} ms a request`);
    });
});

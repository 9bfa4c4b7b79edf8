import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../docs/support/documents.js";
import image from "../../../dev/image/image.json" with { type: "json" };

interface Instruction {
    name: string;
    text: string;
}

/** Returns the instructions in the last stage. */
function lastStage(): Instruction[] {
    const lines = readFileSync(join(root, "Dockerfile"), "utf8")
        .replaceAll("\\\n", "")
        .split("\n")
        .filter((line) => line !== "" && !line.startsWith("#"));
    const all = lines.map((line): Instruction => {
        const [name = "", text = ""] = line.split(/ (.*)/s, 2);
        return { name, text };
    });
    return all.slice(all.findLastIndex(({ name }) => name === "FROM"));
}

describe("The images of the Dockerfile and of the local cluster (dev/image/image.json)", () => {
    const textsOf = (name: string) => lastStage().flatMap((each) => (each.name === name ? [each.text] : []));

    it("have the same user, entry point, command and stop signal", () => {
        assert.deepEqual(
            ["USER", "ENTRYPOINT", "CMD", "STOPSIGNAL"].map((name) => textsOf(name)),
            [[image.user], [JSON.stringify(image.entrypoint)], [JSON.stringify(image.command)], [image.stopSignal]],
        );
    });

    it("have the same release of Node.js and the same programs", () => {
        const text = readFileSync(join(root, "Dockerfile"), "utf8");
        const [, node] = /^ARG BASE=node:([\d.]+)-/m.exec(text) ?? [];
        assert.equal(node, image.node);
        const [, installed = ""] = /--no-install-recommends ([a-z -]+?)\s+&&/.exec(textsOf("RUN").join("\n")) ?? [];
        assert.deepEqual(installed.split(" "), image.debianPackages);
    });

    it("have the same packages in the same folder, and the same links", () => {
        assert.deepEqual(textsOf("COPY"), [`--from=packages ${image.folder} ${image.folder}`]);
        const links = textsOf("RUN").flatMap((text) => [...text.matchAll(/ln -s (\S+) (\S+)/g)]);
        assert.deepEqual(Object.fromEntries(links.map(([, target, link]) => [link, target])), image.links);
    });
});

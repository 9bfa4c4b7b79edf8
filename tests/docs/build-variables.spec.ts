import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
    buildEnvironment,
    fixedVariables,
    offlineVariables,
    placeVariables,
    usualVariables,
} from "../../service/src/builds/build-environment.js";
import { root } from "./support/documents.js";

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** A service in whose environment every variable is set. */
const everything = new Proxy<Record<string, string>>({}, { get: () => "value" });

describe("The guide's table of the variables of builds", () => {
    const [, section = ""] = read("docs/guides/your-builder.md").split("\n## Variables of a build\n");
    const [, table = ""] = /\| --- .*\n((?:\|.*\n)+)/.exec(section) ?? [];
    const listed = table
        .split("\n")
        .filter((row) => !row.startsWith("| those of "))
        .flatMap((row) => row.split("|")[1]?.match(/(?<=`)\w+(?=`)/g) ?? []);

    it("contains every variable that the service sets, and no other", () => {
        const site = read("service/src/builds/site-build.ts").match(/\bSTATIC_EXPORT_\w+(?=:)/g) ?? [];
        const ofService = Object.keys(buildEnvironment([], everything, true).variables);
        const set = [
            ...[...site, "PATH", ...Object.keys(usualVariables("/home"))],
            ...Object.keys(offlineVariables),
            ...Object.keys(placeVariables({ base: "/site", home: "/home", temporary: "/tmp" })),
            ...ofService.filter((name) => !/_proxy$/.test(name)),
        ];
        assert.deepEqual(listed.toSorted(), set.toSorted());
    });

    it("is followed by those that a site cannot replace", () => {
        const [, refused = ""] = /may replace the others, but not (.*?):/s.exec(section) ?? [];
        const marks = /marks the processes of a build \(`(\w+)`\)/.exec(section)?.[1];
        const names = refused.match(/(?<=`)\w+(?=`)/g) ?? [];
        assert.deepEqual([...names, marks].toSorted(), [...fixedVariables].toSorted());
    });

    it("promises a build without a network no proxy and no certificates", () => {
        assert.deepEqual(buildEnvironment([], everything, false).variables, {});
    });
});

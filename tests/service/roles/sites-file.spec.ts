import assert from "node:assert/strict";
import { parseSitesFile } from "../../../service/src/roles/sites-file.js";
import { resolveSite } from "../../../service/src/roles/service-options.js";

const source = "git+https://git.example.com/acme/docs.git";

describe("A sites file", () => {
    it("may be YAML or JSON, with the source alone or with a build", () => {
        const entries = [
            { where: "entry 1", address: "docs.example.com", source, build: true },
            { where: "entry 2", address: "example.com/help", source: "/srv/help" },
            { where: "entry 3", address: "b.example.com", source: undefined, build: undefined },
        ];
        const yaml = `# Sites\n\ndocs.example.com:\n  source: ${source}\n  build: true\nexample.com/help: /srv/help\nb.example.com: {}\n`;
        assert.deepEqual(parseSitesFile(yaml, "sites"), entries);
        const json = {
            "docs.example.com": { source, build: true },
            "example.com/help": "/srv/help",
            "b.example.com": {},
        };
        assert.deepEqual(parseSitesFile(JSON.stringify(json), "sites"), entries);
    });

    it("may give the same build to many sites with an anchor", () => {
        const sites = Array.from(
            { length: 12 },
            (_, index) => `s${index}.example.com: { source: ./docs, build: *build }`,
        );
        const yaml = `first.example.com: { source: ./docs, build: &build { command: make } }\n${sites.join("\n")}\n`;
        const entries = parseSitesFile(yaml, "sites");
        assert.equal(entries.length, 13);
        assert.deepEqual(entries[12]?.build, { command: "make" });
    });

    it("is read line by line otherwise", () => {
        assert.deepEqual(parseSitesFile("# Sites\n\na.example.com=./a: b\nb.example.com", "sites"), [
            { where: "line 3", address: "a.example.com", source: "./a: b" },
            { where: "line 4", address: "b.example.com", source: undefined },
        ]);
    });

    it("is refused as a whole if its YAML is wrong", () => {
        assert.throws(() => parseSitesFile("a.example.com: [", "sites"), /^ServiceOptionsError: sites: /);
        assert.throws(() => parseSitesFile("---\n- a", "sites"), /sites must contain an entry for each site/);
        assert.throws(
            () => parseSitesFile("a.example.com: ./a\nb.example.com: !!js/function ./b\n", "sites"),
            /^ServiceOptionsError: sites: Unresolved tag: \S+js\/function at line 2, column 16/,
        );
    });
});

describe("The build of a site", () => {
    const buildOf = (build: unknown, place = source) => resolveSite("docs.example.com", place, build).site.build;

    it("is off unless the operator allows it", () => {
        assert.equal(buildOf(undefined), undefined);
        assert.equal(buildOf(false), undefined);
        assert.equal(buildOf(true)?.limits.timeoutSeconds, 900);
    });

    it("has the operator's command, variables and limits", () => {
        const settings = {
            command: "make",
            outputFolder: "out",
            environment: ["TOKEN"],
            maxFiles: 9,
            timeoutSeconds: 60,
        };
        const build = buildOf(settings);
        assert.deepEqual([build?.command, build?.outputFolder, build?.environment], ["make", "out", ["TOKEN"]]);
        assert.deepEqual([build?.limits.maxFiles, build?.limits.timeoutSeconds], [9, 60]);
    });

    it("is refused for a folder of this machine, and with wrong settings", () => {
        assert.throws(() => buildOf(true, "/srv/docs"), /Site docs\.example\.com: a build needs a repository/);
        for (const [build, reason] of [
            ["make", /build must be true, or contain settings/],
            [{ comand: "make" }, /build\.comand is unknown; use command, /],
            [{ command: "" }, /build\.command must be a string/],
            [{ environment: ["a b"] }, /build\.environment must list names/],
            [{ environment: ["TOKEN", "HOME"] }, /build\.environment must not contain HOME, which the service sets/],
            [{ productionEnvironment: ["TMPDIR"] }, /build\.productionEnvironment must not contain TMPDIR/],
            [
                { variables: { CI: "1", PATH: "/own" } },
                /build\.variables must not contain PATH, .* set it in the command/,
            ],
            [{ maxProcesses: 0 }, /build\.maxProcesses must be a whole number/],
        ] as const) {
            assert.throws(() => buildOf(build), reason);
        }
    });
});

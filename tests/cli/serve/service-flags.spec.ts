import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { optionTable } from "@pulumi-static-export/service/options";
import { Command } from "commander";
import { parse } from "yaml";
import { serviceFlags } from "../../../cli/src/serve/service-flags.js";
import { otherFlags } from "../../../cli/src/serve/service-settings.js";

const chart = "charts/static-export-service";
const page = readFileSync("docs/reference/command.md", "utf8");
const [guide = ""] = (page.split("\n## serve\n")[1] ?? "").split("\n## ");

function parsed(...args: string[]): Record<string, unknown> {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    serviceFlags("serve").forEach((flag) => command.addOption(flag));
    return command.parse(args, { from: "user" }).opts();
}

describe("The flags for the options of the service", () => {
    it("include every flag in the table of the guide", () => {
        const flags = new Set([...serviceFlags("serve"), ...otherFlags()].map((flag) => flag.flags));
        const named = [...guide.matchAll(/^\| (`--.*?) \|/gm)].flatMap(([, cell = ""]) =>
            [...cell.matchAll(/`(.*?)`/g)].map(([, name = ""]) => name),
        );
        assert.ok(named.length > 5);
        assert.deepEqual(
            named.filter((name) => !flags.has(name)),
            [],
        );
    });

    it("are those of the command: only workers choose how many jobs run at once", () => {
        const namesOf = (command: "serve" | "work") => serviceFlags(command).map(({ long }) => long);
        assert.ok(namesOf("work").includes("--concurrency"));
        assert.ok(!namesOf("serve").includes("--concurrency"));
        assert.ok(!namesOf("work").includes("--max-queued-jobs"));
    });

    it("set the options of the service, under their names and in their units", () => {
        const { exportMemoryMegabytes, keepDays, exportCores, sites, drainMs, dashboard } = parsed(
            ...["--export-memory-mb", "512", "--site", "a.example.com=./a", "--site", "b.example.com=./b"],
            ...["--grace-seconds", "3", "--no-dashboard"],
        );
        assert.deepEqual([exportMemoryMegabytes, keepDays, exportCores], [512, 90, undefined]);
        assert.deepEqual(sites, { "a.example.com": "./a", "b.example.com": "./b" });
        assert.deepEqual([drainMs, dashboard], [3000, false]);
    });

    it("name the flag and what is wrong with its value", () => {
        assert.throws(() => parsed("--keep-days", "0"), /'--keep-days <days>' .* Use a whole number from 1 to 1000000/);
        assert.throws(() => parsed("--site", "a=1", "--site", "a=2"), /'--site <domain=folder>' .* a is given twice/);
    });

    it("are the arguments that the chart gives to its pods", () => {
        for (const [template, command] of [
            ["api-deployment.yaml", "serve"],
            ["worker-deployment.yaml", "work"],
            ["agent-worker-deployment.yaml", "work"],
        ] as const) {
            const known = [...serviceFlags(command), ...otherFlags()].map(({ long }) => long);
            const text = readFileSync(`${chart}/templates/${template}`, "utf8");
            const shared = readFileSync(`${chart}/templates/_helpers.tpl`, "utf8");
            for (const [, flag = ""] of `${text}${shared}`.matchAll(/^ *- .*?["\s](--[a-z-]+)/gm)) {
                assert.ok(["--host", "--port"].includes(flag) || known.includes(flag), `${template}: ${flag}`);
            }
        }
    });

    it("have the defaults of the chart's values", () => {
        const { worker, pages } = parse(readFileSync(`${chart}/values.yaml`, "utf8")) as {
            worker: { concurrency: number };
            pages: { oidc: Record<"groupsClaim" | "scope" | "sessionMinutes", unknown> };
        };
        const defaultOf = (command: "serve" | "work", flag: string): unknown =>
            serviceFlags(command).find(({ long }) => long === flag)?.defaultValue;
        const concurrency = defaultOf("work", "--concurrency");
        assert.equal(worker.concurrency, concurrency);
        assert.deepEqual(
            [pages.oidc.groupsClaim, pages.oidc.scope, pages.oidc.sessionMinutes],
            ["--oidc-groups-claim", "--oidc-scope", "--oidc-session-minutes"].map((flag) => defaultOf("serve", flag)),
        );
    });

    it("read the environment variables that the chart sets", () => {
        const helpers = readFileSync(`${chart}/templates/_helpers.tpl`, "utf8");
        assert.ok(helpers.includes(`name: ${optionTable.database.env}\n`));
    });
});

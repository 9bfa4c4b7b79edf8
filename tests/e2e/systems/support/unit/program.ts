import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { hostileBuilds } from "../../../../service/builds/hostile/hostile-builds.js";

type Answer = Readonly<Record<string, unknown>>;

/** How a build of a hostile site ended, and how a neighbour's build that began meanwhile ended. */
export interface HostileEnd {
    readonly kind: string;
    readonly user: string;
    readonly error: string;
    readonly neighbour: string;
}

/** The line of the console that the spec reads. */
export interface Seen {
    /** By the service's user, what its log says about the limits. */
    readonly limits: Readonly<Record<string, readonly string[]>>;
    readonly doctor: readonly string[];
    readonly ends: readonly HostileEnd[];
    /** How often systemd started the service, by its user. */
    readonly starts: Readonly<Record<string, number>>;
    readonly restarted: Answer;
    /** After a restore: the status of a job in the backup, and the HTTP statuses of its bundle and of a later job. */
    readonly restored: readonly unknown[];
    readonly fault: string | undefined;
}

const data = "/var/lib/static-export";
const url = "http://127.0.0.1:8787";
const jobs = "/v1/static-export/jobs";
const neighbour = "neighbour.example.com";
/** A busy machine emulates a slow one. */
const [rounds, roundMs] = [1500, 200];

const sh = (script: string): string => execFileSync("/bin/sh", ["-ec", script], { encoding: "utf8" }).trim();
const journal = (filter: string) => sh(`journalctl --unit static-export --no-pager --output cat ${filter}`);

async function until<T>(what: string, find: () => Promise<T | undefined> | T | undefined): Promise<T> {
    for (let round = 0; round < rounds; round += 1) {
        const found = await find();
        if (found !== undefined) {
            return found;
        }
        await sleep(roundMs);
    }
    throw new Error(`In vain: ${what}\n${journal("--lines 50")}`);
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
    const key = readFileSync(`${data}/admin-api-key`, "utf8").trim();
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = () => fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    // A connection that was kept open ends with a restart of the service.
    const response = await send().catch(send);
    return { httpStatus: response.status, ...((await response.json()) as Answer) };
}

const start = async (domain: string) => String((await call("POST", jobs, { domain }))["jobId"]);

const endOf = (job: string) =>
    until(`the end of ${job}`, async () => {
        const answer = await call("GET", `${jobs}/${job}`);
        return ["completed", "failed"].includes(String(answer["status"])) ? answer : undefined;
    });

async function isReady(): Promise<true | undefined> {
    const response = await fetch("http://127.0.0.1:9090/readyz").catch(() => undefined);
    return response?.ok === true ? true : undefined;
}

/** Whether a hostile program has taken what it can, and sleeps. */
function isHolding(kind: string): boolean {
    const states = sh(`ps -eo stat=,args= | grep "[p]ython3 hostile.py ${kind}" || true`);
    return states !== "" && states.split("\n").every((line) => line.startsWith("S"));
}

async function runHostile(kind: string, isEnded: boolean): Promise<Omit<HostileEnd, "user">> {
    const hostile = await start(`${kind.replaceAll("_", "-")}.example.com`);
    await until(`${kind} holds what it took`, async () => {
        const { status } = await call("GET", `${jobs}/${hostile}`);
        return status === "failed" || isHolding(kind) ? true : undefined;
    });
    const { status } = await endOf(await start(neighbour));
    if (!isEnded) {
        await call("DELETE", `${jobs}/${hostile}`);
    }
    const { error } = await endOf(hostile);
    return { kind, error: String(error), neighbour: String(status) };
}

const seen = {
    limits: {} as Record<string, string[]>,
    starts: {} as Record<string, number>,
    doctor: [] as string[],
    ends: [] as HostileEnd[],
    restarted: {} as Answer,
    restored: [] as unknown[],
    fault: undefined as string | undefined,
} satisfies Seen;

async function runAs(user: string): Promise<void> {
    sh(`systemctl stop static-export
        chown --recursive ${user}: /srv/sites.git ${data}
        mkdir -p /etc/systemd/system/static-export.service.d
        printf '[Service]\\nUser=${user}\\n' > /etc/systemd/system/static-export.service.d/user.conf
        systemctl daemon-reload
        journalctl --rotate --vacuum-time=1s --quiet
        systemctl start static-export`);
    await until("the service is ready", isReady);
    seen.limits[user] = journal("").match(/^.*(?:by the kernel|checked every second|not enforced).*$/gm) ?? [];
    const kinds = readFileSync("/root/kinds", "utf8").split("\n");
    for (const { kind, error } of hostileBuilds.filter((each) => kinds.includes(each.kind))) {
        // What is stopped by hand elsewhere is cancelled here.
        seen.ends.push({ user, ...(await runHostile(kind, error !== undefined && !error.test("stopped"))) });
        console.log(JSON.stringify(seen.ends.at(-1)));
    }
    seen.starts[user] = journal("").match(/^Started static-export/gm)?.length ?? 0;
}

async function restart(): Promise<void> {
    const job = await start(neighbour);
    sh("systemctl restart static-export");
    await until("the service is ready", isReady);
    const { status, error } = await endOf(job);
    seen.restarted = { status, error };
}

async function restore(): Promise<void> {
    const earlier = await start(neighbour);
    await endOf(earlier);
    sh("sh -e /root/back-up.sh");
    await until("the service is ready", isReady);
    const later = await start(neighbour);
    await endOf(later);
    sh(`systemctl stop static-export
        rm -r ${data}/service.sqlite* ${data}/bundles
        cp --archive /var/backups/static-export-*/. ${data}
        systemctl start static-export`);
    await until("the service is ready", isReady);
    const { bundleUrl } = await call("POST", `${jobs}/${earlier}/bundle`);
    const { pathname, search } = new URL(String(bundleUrl));
    const bundle = await fetch(url + pathname + search);
    seen.restored = [
        (await call("GET", `${jobs}/${earlier}`))["status"],
        bundle.status,
        (await call("GET", `${jobs}/${later}`))["httpStatus"],
    ];
}

try {
    sh("sh -e /root/prepare.sh");
    for (const user of readFileSync("/root/users", "utf8").split("\n")) {
        await runAs(user);
    }
    const profile = "$(sed -n 's/^AppArmorProfile=/--property=&/p' /etc/systemd/system/static-export.service.d/*)";
    const unit = `systemd-run --quiet --pipe --wait --uid=static-export --property=Delegate=yes ${profile}`;
    const doctor = `static-export doctor --sites-file /etc/static-export/sites --data-dir ${data}`;
    seen.doctor = sh(`${unit} ${doctor} 2>&1 || true`).split("\n");
    await restart();
    await restore();
} catch (error) {
    seen.fault = String(error);
}
console.log(`SEEN ${JSON.stringify(seen)}`);

import assert from "node:assert/strict";
import { faultHelp, effectRules } from "../../../service/src/faults/fault-rules.js";
import { FaultSpecError, readFault } from "../../../service/src/faults/fault-spec.js";
import { FaultSchedule } from "../../../service/src/faults/fault-schedule.js";

describe("A fault switch", () => {
    const accepted: [string, object][] = [
        [
            "start:status=503,times=2,retry-after=1",
            {
                operations: ["start"],
                effect: { kind: "status", status: 503, html: false, retryAfter: { seconds: 1, asDate: false } },
                delayMs: 0,
                after: 0,
                times: 2,
            },
        ],
        [
            "get:status=429,retry-after-date=5",
            {
                operations: ["get"],
                effect: { kind: "status", status: 429, html: false, retryAfter: { seconds: 5, asDate: true } },
                delayMs: 0,
                after: 0,
                times: Infinity,
            },
        ],
        ["get:delay=500ms", { operations: ["get"], delayMs: 500, after: 0, times: Infinity }],
        ["export:delay=1.5s", { operations: ["export"], delayMs: 1500, after: 0, times: Infinity }],
        [
            "agent:after=3,times=1,truncate",
            {
                operations: ["agent-start", "agent-get", "agent-message"],
                effect: { kind: "truncate" },
                delayMs: 0,
                after: 3,
                times: 1,
            },
        ],
        [
            "download:reset-after=1000",
            {
                operations: ["download"],
                effect: { kind: "reset-after", bytes: 1000 },
                delayMs: 0,
                after: 0,
                times: Infinity,
            },
        ],
        [
            "export:fail=quota exceeded: 5",
            {
                operations: ["export"],
                effect: { kind: "fail", reason: "quota exceeded: 5" },
                delayMs: 0,
                after: 0,
                times: Infinity,
            },
        ],
    ];
    for (const [spec, fault] of accepted) {
        it(`reads ${spec}`, () => {
            assert.deepEqual(readFault(spec), { spec, ...fault });
        });
    }

    const refused: [string, RegExp][] = [
        ["", /"" is not an operation\. Allowed: start, list, get, bundle, download, .*export, publish, agent, any\.$/],
        ["poll:reset", /"poll" is not an operation/],
        ["start", /names no effect\. Allowed: status=400-599, reset, ambiguous,/],
        ["start:times=2", /names no effect/],
        ["start:explode", /"explode" is not a fault of start\. Allowed: status=400-599, /],
        ["start:vanish", /"vanish" is not a fault of start\./],
        ["any:ambiguous", /"ambiguous" is not a fault of any\./],
        [
            "export:status=503",
            /"status" is not a fault of export\. Allowed: fail=REASON, delay=DURATION, times=COUNT, after=COUNT\./,
        ],
        ["start:toString=1", /"toString" is not a fault of start/],
        ["constructor:reset", /"constructor" is not an operation/],
        ["get:reset=1", /reset takes no value\./],
        ["get:status", /status needs a value: status=400-599\./],
        ["get:status=", /status needs a value/],
        ["get:status=200", /status must be a whole number of at least 400, got "200"\./],
        ["get:status=600", /status must be from 400 to 599, got "600"\./],
        ["get:status=503,status=500", /status is given twice\./],
        ["get:reset,truncate", /reset and truncate exclude each other: give two faults/],
        ["get:reset,retry-after=1", /retry-after needs a status as well\./],
        ["get:delay=1s,html", /html needs a status as well\./],
        ["get:status=503,retry-after=1,retry-after-date=1", /exclude each other\./],
        ["get:delay=5", /delay must be a duration such as 500ms, 2s or 1m, of at most 24h, got "5"\./],
        ["get:delay=25h", /of at most 24h/],
        ["get:reset,times=0", /times must be a whole number of at least 1, got "0"\./],
        ["get:reset,after=-1", /after must be a whole number of at least 0, got "-1"\./],
    ];
    for (const [spec, message] of refused) {
        it(`refuses '${spec}' and lists the allowed values`, () => {
            assert.throws(
                () => readFault(spec),
                (error) => error instanceof FaultSpecError && message.test(error.message),
            );
        });
    }

    it("has help text that names every effect", () => {
        for (const effect of Object.keys(effectRules)) {
            assert.match(faultHelp(), new RegExp(`^  ${effect}\\b`, "m"));
        }
    });

    it("has help text with valid examples", () => {
        const examples = [...faultHelp().matchAll(/--fault ([a-z]\S+)/g)].map(([, spec]) => spec ?? "");
        assert.ok(examples.length >= 4);
        for (const spec of examples) {
            readFault(spec);
        }
    });
});

describe("A fault schedule", () => {
    const hits = (schedule: FaultSchedule, operations: ("start" | "get")[]): (string | undefined)[] =>
        operations.map((operation) => schedule.take(operation)?.spec);

    it("affects only requests of its operation", () => {
        const schedule = new FaultSchedule(["get:reset"]);
        assert.deepEqual(hits(schedule, ["start", "get", "start"]), [undefined, "get:reset", undefined]);
    });

    it("lets `after` requests pass, and affects the next `times` requests", () => {
        const spec = "get:reset,after=1,times=2";
        const schedule = new FaultSchedule([spec]);
        assert.deepEqual(hits(schedule, ["get", "get", "get", "get"]), [undefined, spec, spec, undefined]);
    });

    it("applies the first fault that is due, and the next fault when the first is used up", () => {
        const [first, second] = ["any:reset,times=1", "get:truncate,times=1"] as const;
        const schedule = new FaultSchedule([first, second]);
        assert.deepEqual(hits(schedule, ["get", "get", "get"]), [first, second, undefined]);
    });

    it("keeps its faults if the new faults are invalid", () => {
        const schedule = new FaultSchedule(["get:reset"]);
        assert.throws(() => schedule.set(["get:truncate", "get:explode"]), FaultSpecError);
        assert.deepEqual(hits(schedule, ["get"]), ["get:reset"]);
    });
});

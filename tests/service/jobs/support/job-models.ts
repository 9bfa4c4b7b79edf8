import { type Model } from "./linearizability.js";

/** The state of an export or update; null before its start, and after its removal. */
export type SiteJobState = {
    readonly status: "queued" | "running" | "completed" | "failed";
    readonly isCancelled: boolean;
    readonly attempt: number;
} | null;

/** A result that an operation may have, and the state that it leaves. */
type Case<State> = readonly [result: unknown, next: State];

function casesOf<State>(cases: (state: State, name: string, input: unknown) => readonly Case<State>[]): Model<State> {
    return (state, { name, input, result, isOptional }) =>
        cases(state, name, input)
            .filter(([told]) => isOptional === true || JSON.stringify(told) === JSON.stringify(result))
            .map(([, next]) => next);
}

/** The state machine of `siteJobs` in transitions.ts, without its SQL. */
export const siteJobModel: Model<SiteJobState> = casesOf<SiteJobState>((state, name, input) => {
    if (name === "create") {
        return state === null ? [[null, { status: "queued", isCancelled: false, attempt: 0 }]] : [];
    }
    if (name === "read") {
        const shown = state === null ? null : [state.status, state.isCancelled];
        return [[shown, state]];
    }
    if (name === "remove") {
        return state?.status === "completed" || state?.status === "failed" ? [[null, null]] : [];
    }
    const attempt = input as number | undefined;
    const isOurs = state !== null && state.status === "running" && state.attempt === attempt;
    const isWanted = isOurs && !state.isCancelled;
    const stopped: SiteJobState = state && { ...state, status: state.isCancelled ? "failed" : "queued" };
    const end = (status: "completed" | "failed"): readonly Case<SiteJobState>[] => {
        const isRepeated = state?.status === status && state.attempt === attempt && !state.isCancelled;
        return [isWanted ? [true, { ...state, status }] : [isRepeated, state]];
    };
    switch (name) {
        case "claim":
            // The answer of a killed process is unknown.
            return state?.status === "queued" && (attempt ?? state.attempt + 1) === state.attempt + 1
                ? [[null, { ...state, status: "running", attempt: state.attempt + 1 }]]
                : [];
        case "restart":
            return [[null, state?.status === "running" ? stopped : state]];
        case "tick":
            return [[isWanted ? "wanted" : isOurs ? "unwanted" : "lost", state]];
        case "complete":
            return end("completed");
        case "fail":
            return end("failed");
        case "putBack":
            return [isOurs ? [isWanted ? "requeued" : "cancelled", stopped] : ["lost", state]];
        case "take":
            // The run may have ticked since the check.
            return [...(isOurs ? ([[true, stopped]] as const) : []), [false, state]];
        case "cancel":
            if (state === null || state.status === "completed" || (state.status === "failed" && !state.isCancelled)) {
                return [[null, state]];
            }
            if (state.isCancelled) {
                return [["again", state]];
            }
            return state.status === "queued"
                ? [["failed", { ...state, status: "failed", isCancelled: true }]]
                : [["running", { ...state, isCancelled: true }]];
        default:
            return [];
    }
});

/** A run of a prompt stores its change before it pushes it; what it pushed for an archived job is taken back. */
type PromptState = readonly [state: "waiting" | "running" | "ended" | "done", attempt: number, mayBePushed?: true];

/** The state of an agent's job; null before its start. */
export type AgentJobState = {
    readonly status: "active" | "completed" | "failed" | "archived";
    /** In the order of their arrival. */
    readonly prompts: readonly PromptState[];
    readonly prLink: string | null;
} | null;

/** The state machine of `agentJobs` and `agentPrompts` in transitions.ts, without its SQL. */
export const agentJobModel: Model<AgentJobState> = casesOf<AgentJobState>((state, name, input) => {
    if (name === "create") {
        return state === null ? [[null, { status: "active", prompts: [["waiting", 0]], prLink: null }]] : [];
    }
    if (state === null) {
        return [];
    }
    const { status, prompts, prLink } = state;
    const drop = (each: PromptState): PromptState => (each[0] === "waiting" && !each[2] ? ["done", each[1]] : each);
    const stop = ([, number, mayBePushed]: PromptState): PromptState =>
        mayBePushed ? ["waiting", number, true] : [status === "active" ? "waiting" : "done", number];
    const end = ([, number, ...change]: PromptState): PromptState => ["ended", number, ...change];
    if (name === "archive") {
        return [
            status === "archived"
                ? ["refused", state]
                : [null, { ...state, status: "archived", prompts: prompts.map(drop) }],
        ];
    }
    if (name === "message") {
        return [
            status === "archived"
                ? ["refused", state]
                : [null, { ...state, status: "active", prompts: [...prompts, ["waiting", 0]] }],
        ];
    }
    if (name === "read") {
        return [[[status, status === "active" ? null : prLink], state]];
    }
    const attempt = input as number | undefined;
    const place = prompts.findIndex(([, number]) => number === attempt);
    const isOurs = prompts[place]?.[0] === "running";
    const isWanted = isOurs && status === "active";
    const with_ = (at: number, change: (prompt: PromptState) => PromptState) =>
        prompts.map((each, index) => (index === at ? change(each) : each));
    const stopped = with_(place, stop);
    const number = attempt ?? 0;
    const [ending, , hadChange] = prompts[place] ?? [];
    const isRepeated = ending === "ended" && (status !== "archived" || hadChange === true);
    switch (name) {
        case "claim": {
            const first = prompts.findIndex(([each]) => each === "waiting");
            const next = 1 + Math.max(...prompts.map(([, number]) => number));
            const isNext = (attempt ?? next) === next;
            const mayBegin = first >= 0 && (status === "active" || prompts[first]?.[2] === true);
            return mayBegin && isNext && prompts.every(([each]) => each !== "running")
                ? [[null, { ...state, prompts: with_(first, ([, , ...change]) => ["running", next, ...change]) }]]
                : [];
        }
        case "restart": {
            const resumed = prompts.map((each) => (each[0] === "running" ? stop(each) : each));
            return [[null, { ...state, prompts: resumed }]];
        }
        case "tick":
            return [[isWanted ? "wanted" : isOurs ? "unwanted" : "lost", state]];
        case "recordChange":
            return [
                [isWanted, isWanted ? { ...state, prompts: with_(place, () => ["running", number, true]) } : state],
            ];
        case "forgetChange":
            return [[isOurs, isOurs ? { ...state, prompts: with_(place, () => ["running", number]) } : state]];
        case "finish": {
            const ended = with_(place, end);
            const hasMore = ended.some(([each]) => each === "waiting");
            return [
                isWanted
                    ? [true, { status: hasMore ? "active" : "completed", prompts: ended, prLink: `link ${attempt}` }]
                    : [isRepeated, state],
            ];
        }
        case "fail": {
            const ended = with_(place, end).map(drop);
            return [isWanted ? [true, { ...state, status: "failed", prompts: ended }] : [isRepeated, state]];
        }
        case "putBack":
            return [
                isOurs
                    ? [stopped[place]?.[0] === "waiting" ? "requeued" : "cancelled", { ...state, prompts: stopped }]
                    : ["lost", state],
            ];
        case "take":
            return [...(isOurs ? ([[true, { ...state, prompts: stopped }]] as const) : []), [false, state]];
        default:
            return [];
    }
});

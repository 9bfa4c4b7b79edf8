/** One call in the history of an object: a caller's question, and the answer to it. */
export interface Operation {
    readonly name: string;
    readonly input?: unknown;
    readonly result: unknown;
    /** Moments of one clock for all callers. */
    readonly invokedAt: number;
    readonly returnedAt: number;
    /** Whether nobody knows if the operation took effect: if it did, then between its two moments. */
    readonly isOptional?: boolean;
}

/**
 * A sequential object. @returns the states in which the operation leaves it; none if the object could not have answered
 * so
 */
export type Model<State> = (state: State, operation: Operation) => readonly State[];

/**
 * Searches an order of the operations that the model explains, and in which each takes effect between its call and its
 * answer (Wing and Gong's search, which remembers the states it has tried, as Lowe describes and Porcupine does).
 *
 * @returns whether there is one
 */
export function isLinearizable<State>(operations: readonly Operation[], initial: State, model: Model<State>): boolean {
    const ordered = [...operations].sort((one, other) => one.invokedAt - other.invokedAt);
    const tried = new Set<string>();
    const search = (done: bigint, newest: number, state: State): boolean => {
        const left = ordered.map((_, index) => index).filter((index) => (done & (1n << BigInt(index))) === 0n);
        const mandatory = left.filter((index) => ordered[index]?.isOptional !== true);
        if (mandatory.length === 0) {
            return true;
        }
        const key = `${done} ${JSON.stringify(state)}`;
        if (tried.has(key)) {
            return false;
        }
        tried.add(key);
        const firstAnswer = Math.min(...mandatory.map((index) => ordered[index]!.returnedAt));
        return left.some((index) => {
            const operation = ordered[index]!;
            const isTooLate = operation.isOptional === true && operation.returnedAt < newest;
            return (
                operation.invokedAt <= firstAnswer &&
                !isTooLate &&
                model(state, operation).some((next) =>
                    search(done | (1n << BigInt(index)), Math.max(newest, operation.invokedAt), next),
                )
            );
        });
    };
    return search(0n, -Infinity, initial);
}

/** Drops operations that explain nothing from a history without a linearization, such as reads that agree. */
export function shrink<State>(
    operations: readonly Operation[],
    initial: State,
    model: Model<State>,
    hasNoEffect: (operation: Operation) => boolean,
): Operation[] {
    let left = [...operations].sort((one, other) => one.invokedAt - other.invokedAt);
    for (const operation of left.filter(hasNoEffect)) {
        const without = left.filter((each) => each !== operation);
        if (!isLinearizable(without, initial, model)) {
            left = without;
        }
    }
    return left;
}

/** A call that was not answered: if its process was killed, nobody knows whether the call took effect. */
export interface Call {
    readonly id: number;
    readonly name: string;
    readonly object: string | undefined;
    readonly input: unknown;
    readonly invokedAt: number;
}

/** Called before each call, and with each answer. */
export interface HistoryObserver {
    called(call: Call): void;
    answered(id: number, object: string, operation: Operation): void;
}

/** The operations of many objects, in the time of one process. */
export class History {
    #now = 0;
    #calls = 0;
    readonly #observer: HistoryObserver | undefined;
    readonly objects = new Map<string, Operation[]>();
    /** Operations that may have had an effect on any object. */
    readonly everywhere: Operation[] = [];
    count = 0;

    constructor(observer?: HistoryObserver) {
        this.#observer = observer;
    }

    tick(): number {
        return (this.#now += 1);
    }

    add(object: string, operation: Operation): void {
        this.objects.set(object, [...(this.objects.get(object) ?? []), operation]);
        this.count += operation.isOptional === true ? 0 : 1;
    }

    /** The operations of an object, and those that may have had an effect on it. */
    of(object: string): Operation[] {
        const all = this.objects.get(object) ?? [];
        const beganAt = Math.min(...all.map(({ invokedAt }) => invokedAt));
        return [...all, ...this.everywhere.filter(({ returnedAt }) => returnedAt >= beganAt)];
    }

    /**
     * Calls `run`, and records its result for an object, which may be known only afterwards.
     * @param known - the object and the input, if they are known before
     */
    async record<T>(
        name: string,
        run: () => Promise<T>,
        of: (result: T) => { object: string | undefined; input?: unknown; result: unknown },
        known: { object?: string; input?: unknown } = {},
    ): Promise<T> {
        const id = (this.#calls += 1);
        const invokedAt = this.tick();
        this.#observer?.called({ id, name, object: known.object, input: known.input, invokedAt });
        const answer = await run();
        const { object = "", input, result } = of(answer);
        const operation = { name, input, result, invokedAt, returnedAt: this.tick() };
        if (object !== "") {
            this.add(object, operation);
        }
        this.#observer?.answered(id, object, operation);
        return answer;
    }
}

export function describeHistory(operations: readonly Operation[]): string {
    return operations
        .map(({ name, input, result, invokedAt, returnedAt, isOptional }) => {
            const asked = input === undefined ? "" : ` ${JSON.stringify(input)}`;
            const told = isOptional === true ? "perhaps" : JSON.stringify(result);
            return `${String(invokedAt).padStart(7)} to ${String(returnedAt).padEnd(7)} ${name}${asked}: ${told}`;
        })
        .join("\n");
}

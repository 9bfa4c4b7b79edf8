/** Why a pod does not start. */
export class PodError extends Error {
    readonly reason: string;
    readonly advice: string;
    /** Whether another attempt may succeed. */
    readonly isTransient: boolean;

    /** @param reason - one sentence without the link's query */
    constructor(reason: string, advice = "", { isTransient = false } = {}) {
        super(advice === "" ? reason : `${reason} ${advice}`);
        this.name = "PodError";
        this.reason = reason;
        this.advice = advice;
        this.isTransient = isTransient;
    }
}

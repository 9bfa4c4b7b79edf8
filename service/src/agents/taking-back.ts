import { type Work } from "../jobs/job-kind.js";
import { type Prompt } from "./next-prompt.js";
import { type PromptAttempts } from "./prompt-attempts.js";
import { type ShownChange } from "./shown-change.js";

interface TakingBack {
    prompt: Prompt;
    attempts: Pick<PromptAttempts, "isAbandoned" | "forgetChange">;
    shown: Pick<ShownChange, "mayBeSeen" | "undo">;
    /** Called if the database does not answer. @param step - completes "could not" */
    onError: (step: string, error: unknown) => void;
}

/**
 * Work on a prompt that takes back what others see of it if its job is archived: when the work ends without a result,
 * and when it has lost its prompt, because its push may have arrived after another run had taken the change back. If
 * this process closes meanwhile, or if it cannot be stored, the prompt's next run does it again. Another failure is not
 * repeated, because it may last for ever.
 */
export function takingBack<Result>(work: Work<Result>, { prompt, attempts, shown, onError }: TakingBack): Work<Result> {
    const takeBack = async (): Promise<void> => {
        let step = "find out whether it is archived";
        try {
            if (shown.mayBeSeen && (await attempts.isAbandoned(prompt))) {
                const { isCut } = await shown.undo();
                step = "store that its change was taken back";
                if (!isCut) {
                    await attempts.forgetChange(prompt);
                }
            }
        } catch (error) {
            onError(step, error);
        }
    };
    return {
        ...work,
        do: async (run) => {
            try {
                return await work.do(run);
            } catch (error) {
                await takeBack();
                throw error;
            }
        },
        ended: async (outcome, durationMs) => {
            if (outcome.kind === "lost") {
                await takeBack();
            }
            await work.ended(outcome, durationMs);
        },
    };
}

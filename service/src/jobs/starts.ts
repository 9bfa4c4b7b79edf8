/** A job that was interrupted after this many starts does not run again. */
export const maxStarts = 3;

/**
 * How many starts of a job may be next to other jobs in their process. The last one is alone: a job that crashes its
 * process takes no other job's last start. Earlier ones are not, because most interruptions are lost machines, whose
 * jobs would otherwise block another worker one after another.
 */
export const startsTogether: number = maxStarts - 1;

import { AgentJobLifecycle } from "../../../provider/src/agent-job/lifecycle.js";
import type { AgentJobInputs, AgentJobState } from "../../../provider/src/agent-job/model.js";
import { FakeAgents } from "../support/fake-agents.js";
import { ProviderFixture } from "../support/provider-fixture.js";

/** The lifecycle of an `AgentJob`, with agents in memory. */
export class AgentFixture extends ProviderFixture<AgentJobLifecycle, FakeAgents> {
    constructor() {
        super(
            (clock) => new FakeAgents(clock),
            (runtime) => new AgentJobLifecycle(runtime),
        );
    }

    get agents(): FakeAgents {
        return this.server;
    }

    async create(inputs: AgentJobInputs): Promise<AgentJobState> {
        return (await this.lifecycle.create(inputs)).outs as AgentJobState;
    }

    async update(olds: AgentJobState, news: AgentJobInputs): Promise<AgentJobState> {
        return (await this.lifecycle.update(olds.projectId, olds, news)).outs as AgentJobState;
    }
}

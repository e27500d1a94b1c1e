package io.credential.spring.console.internal.overview;

import gg.jte.html.HtmlTemplateOutput;

import io.credential.spring.console.internal.templates.JteoverviewnodesGenerated;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.ClusterOperations;
import io.credential.spring.operations.internal.ClusterOperations.ClusterState;

/** Which nodes there are, and which one leads. */
final class NodesPart implements OverviewPart<ClusterState> {

    private static final int ORDER = 40;

    private final ClusterOperations operations;

    NodesPart(ClusterOperations operations) {
        this.operations = operations;
    }

    @Override
    public int order() {
        return ORDER;
    }

    @Override
    public ClusterState read() {
        return operations.state();
    }

    @Override
    public void render(HtmlTemplateOutput output, ClusterState state) {
        JteoverviewnodesGenerated.render(output, null, state);
    }
}

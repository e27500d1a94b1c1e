package io.credential.spring.console.internal.overview;

import java.util.List;

import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.operations.internal.ClusterOperations;

/** The nodes, which only the overview shows. */
public final class NodesSection implements ConsoleSection {

    private final ClusterOperations operations;

    public NodesSection(ClusterOperations operations) {
        this.operations = operations;
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of();
    }

    @Override
    public List<OverviewPart<?>> overview() {
        return List.of(new NodesPart(operations));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        // It has no pages.
    }
}

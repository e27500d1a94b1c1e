package io.credential.spring.console.internal.web;

import java.util.List;
import java.util.Optional;

/** A part of the console, with its pages. */
public interface ConsoleSection {

    /** Returns its links. */
    List<NavigationEntry> navigation();

    /** Returns what the overview shows of it; nothing by default. */
    default List<OverviewPart<?>> overview() {
        return List.of();
    }

    /** Adds its pages and actions. */
    void addTo(ConsoleRoutes routes);

    /** Returns what to tell an operator about an exception of the library that this section shows; empty for others. */
    default Optional<Problem> problem(RuntimeException exception) {
        return Optional.empty();
    }
}

package io.credential.spring.console.internal.overview;

import java.time.InstantSource;
import java.util.List;

import org.springframework.http.HttpStatus;

import gg.jte.html.HtmlContent;

import io.credential.spring.console.internal.templates.JteoverviewGenerated;
import io.credential.spring.console.internal.web.ConsoleRequest;
import io.credential.spring.console.internal.web.ConsoleRoutes;
import io.credential.spring.console.internal.web.ConsoleSection;
import io.credential.spring.console.internal.web.NavigationEntry;
import io.credential.spring.console.internal.web.OverviewPart;
import io.credential.spring.console.internal.web.Reply;

/** The first page of the console. */
public final class OverviewSection implements ConsoleSection {

    private final OverviewReader reader;

    public OverviewSection(List<OverviewPart<?>> parts, InstantSource clock) {
        this.reader = new OverviewReader(parts, clock, System::nanoTime);
    }

    @Override
    public List<NavigationEntry> navigation() {
        return List.of(new NavigationEntry("", "Overview", 0));
    }

    @Override
    public void addTo(ConsoleRoutes routes) {
        routes.page("", this::show);
    }

    /** Responds with 503 and the last values while the database does not answer. */
    private Reply show(ConsoleRequest request) {
        OverviewReader.State state = reader.read();
        Overview overview = new Overview(
                state.failingSince(),
                state.parts().stream().<HtmlContent>map(part -> part::render).toList());
        return Reply.page(
                state.failingSince() == null ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
                "Overview",
                "",
                (output, page) -> JteoverviewGenerated.render(output, null, overview));
    }
}

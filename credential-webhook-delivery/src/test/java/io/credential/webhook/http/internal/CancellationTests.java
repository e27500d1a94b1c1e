package io.credential.webhook.http.internal;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;

import org.apache.hc.core5.concurrent.Cancellable;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOSession;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CancellationTests {

    private final Cancellation cancellation = new Cancellation();

    private final List<String> ended = new ArrayList<>();

    @Test
    void cancelWhenStepsWereReportedThenAllAreCancelled() {
        cancellation.setDependency(step("request"));
        cancellation.setDependency(step("lease"));

        assertThat(cancellation.cancel()).isTrue();

        assertThat(ended).containsExactlyInAnyOrder("request", "lease");
    }

    @Test
    void setDependencyWhenCancelledThenStepEndsAtOnce() {
        cancellation.cancel();
        cancellation.setDependency(step("request"));

        assertThat(ended).containsExactly("request");
    }

    @Test
    void cancelWhenCalledAgainThenDoesNothing() {
        cancellation.setDependency(step("request"));
        cancellation.cancel();

        assertThat(cancellation.cancel()).isFalse();
        assertThat(cancellation.isCancelled()).isTrue();
        assertThat(ended).containsExactly("request");
    }

    @Test
    void cancelWhenConnectionIsOpeningThenItIsClosed() {
        assertThat(cancellation.opening(connection("connection"))).isTrue();
        cancellation.cancel();

        assertThat(ended).containsExactly("connection IMMEDIATE");
    }

    @Test
    void cancelWhenConnectionIsOpenThenItIsLeftToItsSteps() {
        cancellation.opening(connection("connection"));
        cancellation.opened();
        cancellation.cancel();

        assertThat(ended).isEmpty();
    }

    @Test
    void openingWhenCancelledThenRefused() {
        cancellation.cancel();

        assertThat(cancellation.opening(connection("connection"))).isFalse();
    }

    private Cancellable step(String name) {
        return () -> ended.add(name);
    }

    private IOSession connection(String name) {
        return (IOSession) Proxy.newProxyInstance(
                IOSession.class.getClassLoader(), new Class<?>[] {IOSession.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close") && arguments[0] instanceof CloseMode mode) {
                        ended.add(name + " " + mode);
                        return null;
                    }
                    throw new UnsupportedOperationException(method.getName());
                });
    }
}

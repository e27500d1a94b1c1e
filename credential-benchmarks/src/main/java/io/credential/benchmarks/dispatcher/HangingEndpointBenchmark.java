package io.credential.benchmarks.dispatcher;

import java.net.URI;
import java.util.List;

import io.credential.benchmarks.Arrivals;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.SampleClient.Mode;
import io.credential.benchmarks.SampleSetup;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures how an endpoint that accepts requests and never answers affects 19 others: the 99th percentile of the times
 * from the call to the arrival at the others, and the rate of accepted calls, with 16 callers of {@code POST /events} of
 * the sample application, plain and with {@code Prefer: respond-async}. The yardstick is the same with 20 endpoints that
 * answer. A turn makes calls for at most ten seconds.
 */
final class HangingEndpointBenchmark implements Benchmark {

    private static final int HEALTHY = 19;

    private int added;

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (SampleSetup sample = SampleSetup.start(receiver)) {
            List<URI> healthy = receiver.countedUrls(HEALTHY);
            for (int i = 0; i < HEALTHY; i++) {
                sample.client().register("healthy-" + i, healthy.get(i));
            }
            URI answers = receiver.bareUrls(1).get(0);
            for (Mode mode : Mode.values()) {
                Load load = new Load(
                        SampleClient.CALLERS,
                        scale.deliveries() / (HEALTHY + 1),
                        scale.turn(),
                        number -> sample.client().send(number, mode));
                measure(load, answers, "warm-up", new Turns(), sample);
                Turns turns = Turns.takeCold(scale.rounds(), round -> {
                    measure(load, answers, "all answer", round, sample);
                    measure(load, receiver.hangingUrl(), "one hangs", round, sample);
                });
                for (String what : List.of("p99 ms", "accepted/s")) {
                    table.ratio("hang, " + mode, turns, what + ", one hangs", what + ", all answer", "");
                }
            }
        }
    }

    /** The last endpoint is new in each turn, because the sample remembers how its endpoints behave. */
    private void measure(Load load, URI last, String condition, Turns turns, SampleSetup sample) throws Exception {
        String id = "last-" + added++;
        sample.client().register(id, last);
        sample.receiver().reset();
        Load.Result accepted = load.run();
        Arrivals.Summary arrived = sample.receiver().await((long) accepted.calls() * HEALTHY);
        turns.add("p99 ms, " + condition, arrived.p99Nanos() / 1e6);
        turns.add("accepted/s, " + condition, accepted.perSecond());
        sample.client().remove(id);
        sample.database().awaitSettled();
    }
}

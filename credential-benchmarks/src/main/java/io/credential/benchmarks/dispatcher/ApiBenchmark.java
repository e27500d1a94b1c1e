package io.credential.benchmarks.dispatcher;

import java.net.URI;
import javax.management.remote.JMXConnector;

import io.credential.benchmarks.Arrivals;
import io.credential.benchmarks.BarePosts;
import io.credential.benchmarks.BenchmarkReceiver;
import io.credential.benchmarks.Load;
import io.credential.benchmarks.NumberedPayload;
import io.credential.benchmarks.SampleClient;
import io.credential.benchmarks.SampleClient.Mode;
import io.credential.benchmarks.SampleSetup;
import io.credential.benchmarks.Table;
import io.credential.benchmarks.Turns;

/**
 * Measures how many deliveries arrive per second when 16 callers send events to {@code POST /events} of the sample
 * application, from the first call until the last arrival, plain and with {@code Prefer: respond-async}. The yardsticks
 * are a bare loop of signed posts and {@code GET /whoami} of the same process.
 */
final class ApiBenchmark implements Benchmark {

    private final String name;
    private final int endpoints;

    /** @param endpoints how many endpoints get each event */
    ApiBenchmark(String name, int endpoints) {
        this.name = name;
        this.endpoints = endpoints;
    }

    @Override
    public void run(Scale scale, BenchmarkReceiver receiver, Table table) throws Exception {
        try (SampleSetup sample = SampleSetup.start(receiver);
                BarePosts bare = new BarePosts(receiver.bareUrls(endpoints))) {
            SampleClient client = sample.client();
            for (URI url : receiver.countedUrls(endpoints)) {
                client.register("endpoint" + url.getPath().replace('/', '-'), url);
            }
            int events = scale.deliveries() / endpoints;
            Load whoAmI = new Load(SampleClient.CALLERS, scale.deliveries(), number -> client.whoAmI());
            Turns turns = Turns.take(scale.rounds(), round -> {
                round.add("bare posts/s", bare.perSecond(scale.deliveries()));
                round.add("GET /whoami/s", whoAmI.run().perSecond());
                for (Mode mode : Mode.values()) {
                    round.add(mode + " delivered/s", deliveredPerSecond(events, mode, sample));
                }
            });
            for (Mode mode : Mode.values()) {
                String delivered = mode + " delivered/s";
                table.ratio(name, turns, delivered, "GET /whoami/s", "");
                try (JMXConnector management = sample.process().management()) {
                    String costs = new CostMeter(sample.database(), management.getMBeanServerConnection())
                            .perDelivery(events * endpoints, () -> deliveredPerSecond(events, mode, sample));
                    table.ratio(name, turns, delivered, "bare posts/s", costs);
                }
            }
        }
    }

    private double deliveredPerSecond(int events, Mode mode, SampleSetup sample) throws Exception {
        sample.receiver().reset();
        long start = NumberedPayload.now();
        new Load(SampleClient.CALLERS, events, number -> sample.client().send(number, mode)).run();
        Arrivals.Summary arrived = sample.receiver().await((long) events * endpoints);
        sample.database().awaitSettled(); // so that the next turn has the machine to itself
        return arrived.distinct() / ((arrived.lastAt() - start) / 1e9);
    }
}

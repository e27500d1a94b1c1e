package io.credential.benchmarks;

import java.io.IOException;

/**
 * The sample application on a separate PostgreSQL server.
 *
 * @param client has a key
 * @param receiver gets the webhooks
 */
public record SampleSetup(
        BenchmarkDatabase database, SampleProcess process, SampleClient client, BenchmarkReceiver receiver)
        implements AutoCloseable {

    public static SampleSetup start(BenchmarkReceiver receiver) throws IOException, InterruptedException {
        BenchmarkDatabase database = BenchmarkDatabase.postgres();
        SampleProcess process = new SampleProcess(database.pool().getJdbcUrl());
        return new SampleSetup(database, process, process.client(), receiver);
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.close();
        database.close();
    }
}

package io.credential.copy;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A server that asks for a password and rejects every one; that of the tests accepts any. */
final class RejectingPostgres implements AutoCloseable {

    private static final int SSL_REQUEST = 80877103;
    private static final int GSS_REQUEST = 80877104;
    private static final int CLEARTEXT_PASSWORD = 3;

    private final ServerSocket server;

    private RejectingPostgres(ServerSocket server) {
        this.server = server;
    }

    static RejectingPostgres start() throws IOException {
        RejectingPostgres postgres = new RejectingPostgres(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(postgres::serve, "rejecting-postgres");
        thread.setDaemon(true);
        thread.start();
        return postgres;
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + server.getLocalPort() + "/app";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                reject(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
            } catch (IOException e) {
                // the client has gone, or the test is over
            }
        }
    }

    private static void reject(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            int length = in.readInt();
            byte[] startup = in.readNBytes(length - 4);
            int code = ByteBuffer.wrap(startup).getInt();
            if (code != SSL_REQUEST && code != GSS_REQUEST) {
                break;
            }
            out.writeByte('N');
        }
        out.writeByte('R');
        out.writeInt(8);
        out.writeInt(CLEARTEXT_PASSWORD);
        in.readByte();
        in.readNBytes(in.readInt() - 4);
        byte[] error = "SFATAL\0VFATAL\0C28P01\0Mrejected with 28P01 for app\0\0".getBytes(StandardCharsets.US_ASCII);
        out.writeByte('E');
        out.writeInt(error.length + 4);
        out.write(error);
        out.flush();
    }
}

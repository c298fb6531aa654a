<?php

// Plans a shift, assigns a user to it, and reads both back. GET sends its parameters as JSON in a body.
// Usage: php roster.php SERVICE TOKEN

[, $service, $token] = $argv;

function call(string $method, string $path, array $body): array
{
    global $service, $token;
    $context = stream_context_create(['http' => [
        'method' => $method,
        'header' => ["Authorization: Bearer $token", 'Content-Type: application/json'],
        'content' => json_encode(['interface_language' => 'de'] + $body),
        'ignore_errors' => true,
    ]]);
    $answer = file_get_contents("$service/public_api/v1/$path", false, $context);
    if (!str_contains($http_response_header[0], ' 200 ')) {
        fwrite(STDERR, "$method $path: $answer\n");
        exit(1);
    }
    return json_decode($answer, true);
}

$shift = call('POST', 'shifts', ['shift' => [
    'location_external_id' => 'harbour',
    'working_area_external_id' => 'kitchen',
    'starts_at' => '2031-06-16T08:00:00+02:00',
    'ends_at' => '2031-06-16T24:00:00+02:00',
    'number_of_employees' => '1',
    'note' => null,
]]);
$id = (string) $shift['id'];
call('POST', 'assignments', ['assignment' => ['shift_id' => $id, 'user_external_id' => 'erin']]);

echo json_encode([
    'created' => $shift,
    'shown' => call('GET', 'shifts', ['id' => $id]),
    'listed' => call('GET', 'shifts', [
        'location_external_id' => 'harbour',
        'range_start' => '16.06.2031',
        'range_end' => '16.06.2031',
    ])['shifts'],
    'users' => call('GET', 'assignments', ['shift_id' => $id])['users'],
]);

module example.com/holding

go 1.21
